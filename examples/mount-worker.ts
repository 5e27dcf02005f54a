// A worker (worker/worker.ts) with the store, called as its platform does.
import worker from "./worker/worker.js"

const headers = { "x-user": "ann", "content-type": "application/json" }
const url = "http://worker.test/categories"
const body = '{"name":"Cats"}'
const made = await worker.fetch(new Request(url, { method: "POST", headers, body }))
console.log(made.status, made.headers.get("location"), await made.json())
const listed = await worker.fetch(new Request(`${url}?limit=1`, { headers }))
console.log(listed.status, listed.headers.get("link"))
console.log("limit of Ann:", listed.headers.get("x-ratelimit-limit"))
const docs = await worker.fetch(new Request("http://worker.test/docs"))
console.log(docs.status, (await docs.text()).match(/<a href.*<\/a>/)?.[0])

/**
 * Posts pets to a port for so many seconds on 64 connections, with a key, and prints how many were
 * made.
 */
import { load } from "../load/load.js"

const [port = "", key = "", seconds = ""] = process.argv.slice(2)
const body = JSON.stringify({ name: "Goldie", categoryId: 1 })
const request = [
  "POST /pets HTTP/1.1",
  "Host: localhost",
  `X-API-Key: ${key}`,
  "Content-Type: application/json",
  `Content-Length: ${body.length}`,
  "",
  body
].join("\r\n")
const { requests, unexpected } = await load({
  port: Number(port),
  connections: 64,
  seconds: Number(seconds),
  requests: [Buffer.from(request)],
  expected: 201
})
if (unexpected > 0) throw new Error(`${unexpected} answers were not 201`)
console.log(requests)

// What scripts/checkPackages.mjs needs of the tools: it is imported from the folder that they are
// installed into.
export { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
export { publint } from "publint"
export { formatMessage } from "publint/utils"

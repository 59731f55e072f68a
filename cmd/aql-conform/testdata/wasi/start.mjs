// Runs a program for wasip1 that sees one folder, and neither network nor processes:
//   node start.mjs PROGRAM FOLDER [ARGUMENTS]
import { readFile } from "node:fs/promises"
import { WASI } from "node:wasi"

const [program, folder, ...args] = process.argv.slice(2)
const wasi = new WASI({ version: "preview1", args: ["aql-conform", ...args], env: { PWD: "/" }, preopens: { "/": folder } })
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject())
process.exitCode = wasi.start(instance)

// Runs the judge once, away from the page: it takes seconds of a processor.
"use strict";
importScripts("judge.js");

const bytes = async (address, unpack) => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.split("/").pop()}: ${response.status}`);
  if (!unpack) return new Uint8Array(await response.arrayBuffer());
  const raw = await response.blob();
  const packed = new Uint8Array(await raw.slice(0, 2).arrayBuffer()); // a server may have unpacked it
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return new Uint8Array(await raw.arrayBuffer());
  return new Uint8Array(await new Response(raw.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
};

onmessage = async ({ data }) => {
  try {
    globalThis.aqlInput = {
      name: data.packed, keys: JSON.stringify(data.keys ?? []),
      report: await bytes(data.run + "report.json"), transcript: await bytes(data.run + data.packed),
      sealed: data.sealed ? await bytes(data.run + "sealed.json") : new Uint8Array(),
    };
    globalThis.aqlOutput = text => postMessage(JSON.parse(text));
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(await bytes("judge.wasm.gz", true), go.importObject);
    await go.run(instance);
    postMessage({ broken: "the program ended without a verdict" });
  } catch (error) {
    postMessage({ broken: String(error.message ?? error) });
  }
};

// Runs the judge once, away from the page: it takes seconds of a processor.
"use strict";
importScripts("judge.js");

const bytes = async (address, packed) => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.split("/").pop()}: ${response.status}`);
  const plain = packed ? new Response(new globalThis["xz-decompress"].XzReadableStream(response.body)) : response;
  return new Uint8Array(await plain.arrayBuffer());
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
    const { instance } = await WebAssembly.instantiate(await bytes("judge.wasm.xz", true), go.importObject);
    await go.run(instance);
    postMessage({ broken: "the program ended without a verdict" });
  } catch (error) {
    postMessage({ broken: String(error.message ?? error) });
  }
};

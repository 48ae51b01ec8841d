import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { registerDom } from "../helpers/dom.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { startFakeOllama } from "../helpers/fake-ollama.ts";

// The real `useChat` of AI SDK v4, configured as the contract says, in a page, against a running Docent.

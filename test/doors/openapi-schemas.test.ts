import { expect, test } from "bun:test";
import { z } from "zod";
import { createSchemaWriter } from "../../src/doors/openapi/json-schema.ts";
import { describedAs, listOf } from "../../src/doors/request/fields.ts";

test("a schema with a name is written once, and referred to wherever it is used", () => {
  const { write, components } = createSchemaWriter();
  const word = z.object({ text: z.string() }).meta({ id: "Word" });
  const $ref = "#/components/schemas/Word";
  expect(write(word)).toEqual({ $ref });
  expect(write(z.array(word))).toEqual({ type: "array", items: { $ref } });
  expect(write(word.nullable())).toEqual({ anyOf: [{ $ref }, { type: "null" }] });
  expect(write(listOf(word, 5).refine(() => true))).toEqual({ type: "array", items: { $ref }, maxItems: 5 });
  expect(write(describedAs(z.unknown(), word).optional())).toEqual({ $ref });
  expect(Object.keys(components)).toEqual(["Word"]);
  expect(components["Word"]).toEqual({
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  });
});

test("two schemas of one name are refused, with what to do", () => {
  const { write } = createSchemaWriter();
  const named = (field: z.ZodType) => z.object({ field }).meta({ id: "Thing" });
  write(named(z.string()));
  write(named(z.string()));
  expect(() => write(named(z.int()))).toThrow(
    /Two schemas are called Thing: .* Give one of them another id in its \.meta\(\)\./,
  );
});

test("what a record may be called by is told by its fields, where the names are a closed list", () => {
  const { write } = createSchemaWriter();
  const fields = { a: { type: "integer" }, b: { type: "integer" } };
  const letters = z.enum(["a", "b"]);
  const type = "object";
  expect(write(z.record(letters, z.int().min(0)))).toMatchObject({
    required: ["a", "b"],
    properties: fields,
  });
  expect(write(z.partialRecord(letters, z.int().min(0)))).toMatchObject({ type, properties: fields });
  expect(write(z.partialRecord(letters, z.int()))["required"]).toBeUndefined();
  expect(write(z.record(z.string(), z.boolean()))).toEqual({
    type,
    additionalProperties: { type: "boolean" },
  });
});

test("control characters are named as every language's expressions write them", () => {
  const { write } = createSchemaWriter();
  const { pattern } = write(z.string().regex(/^[^\p{Cc}/]*$/u));
  const isRight = new RegExp(String(pattern));
  for (const text of ["", "docs.zip", "é💥 \u{a0}"]) expect(isRight.test(text), text).toBe(true);
  for (const text of ["a\nb", "\u{0}", "\u{7f}", "\u{85}", "a/b"])
    expect(isRight.test(text), text).toBe(false);
});

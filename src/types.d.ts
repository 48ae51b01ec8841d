declare module "*.sql" {
  const text: string;
  export default text;
}
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*/LICENSE" {
  const text: string;
  export default text;
}
declare module "*.txt" {
  const text: string;
  export default text;
}
declare module "*.bin" {
  const path: string;
  export default path;
}
declare module "*.wasm" {
  const path: string;
  export default path;
}
declare module "temml" {
  const temml: {
    /** Throws where a formula is not understood. The tree is the library's own. */
    __renderToMathMLTree(
      tex: string,
      options: {
        displayMode: boolean;
        annotate: boolean;
        throwOnError: boolean;
        maxExpand: number;
        /** In em and in pt. */
        maxSize: [number, number];
      },
    ): unknown;
  };
  export default temml;
}
declare module "pdfjs-dist/legacy/build/pdf.min.mjs" {
  export * from "pdfjs-dist/legacy/build/pdf.mjs";
}
/** Sets `globalThis.pdfjsWorker`. */
declare module "pdfjs-dist/legacy/build/pdf.worker.min.mjs";

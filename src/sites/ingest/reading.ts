import { join } from "node:path";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { type DocumentReading, openDocumentReading } from "@docent/reading/document-process/documents";
import { openPageReading, type PageReading } from "@docent/reading/page-reading/page-reading";
import type { SourceReader } from "@docent/reading/source-reader";
import {
  createFolderReader,
  createOpenPublishedSite,
  createOpenSourceReader,
  type OpenPublishedSite,
  type OpenSourceReader,
} from "@docent/reading/sources/sources";
import type { SourcesOptions } from "./ingest.ts";
import { createIngest, type Ingest } from "./run/run.ts";
import type { Vectors } from "./vectors.ts";

/** What reads sources and takes their pages in. */
export interface Reading {
  ingest: Ingest;
  openSourceReader: OpenSourceReader;
  openPublishedSite: OpenPublishedSite;
  /** Reads a folder that is no source. */
  readFolder(root: string): SourceReader;
}

export interface ReadingOptions extends SourcesOptions {
  vectors: Vectors;
  /** PEM certificates that are trusted besides the usual ones. */
  certificateAuthorities: readonly string[];
}

export function openReading(options: ReadingOptions): Reading {
  const { settings, stores, vectors, index, calibrator, watch, environment, clock, log } = options;
  const { certificateAuthorities } = options;
  const { page_bytes: pageBytesMax, pages_per_source: pagesMax } = settings;
  const documents = openDocuments(options);
  const pageReading = openPages(options);
  const { asciidoc, apart, write } = pageReading;
  const readers = {
    seal: options.seal,
    cacheFolder: join(settings.data, "cache"),
    pageBytesMax,
    documents,
    asciidoc,
    apart,
    write,
    pagesMax,
    certificateAuthorities,
    fetchMs: settings.fetch_seconds * SECOND_MS,
    fetchesAtOnce: settings.fetches_at_once,
    environment,
    credentials: settings.source_variables,
    clock,
  };
  return {
    ingest: createIngest({
      store: stores.ingest,
      sources: stores.sources,
      ledger: stores.ledger,
      published: stores.published,
      vectors,
      index,
      calibrator,
      watch,
      clock,
      log,
      pageReading,
      pagesMax,
      imageBytesMax: settings.image_bytes_per_source,
    }),
    openSourceReader: createOpenSourceReader(readers),
    openPublishedSite: createOpenPublishedSite(readers),
    readFolder: (root) =>
      createFolderReader({ root, fileBytesMax: pageBytesMax, documents, asciidoc, apart, clock }),
  };
}

const openPages = ({ settings, documentReader, environment }: SourcesOptions): PageReading =>
  openPageReading({
    command: documentReader,
    environment,
    pageMs: settings.page_seconds * SECOND_MS,
    memoryBytesMax: settings.document_memory_bytes,
  });

const openDocuments = ({ settings, documentReader, environment }: SourcesOptions): DocumentReading =>
  openDocumentReading({
    command: documentReader,
    environment,
    bytesMax: settings.document_bytes,
    keptBytesMax: settings.original_bytes,
    documentMs: settings.document_seconds * SECOND_MS,
    memoryBytesMax: settings.document_memory_bytes,
  });

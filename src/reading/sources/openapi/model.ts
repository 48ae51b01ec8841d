/** Where a parameter is put; a body's form fields are in its schema. */
export interface Parameter {
  name: string;
  place: string;
  required: boolean;
  deprecated: boolean;
  description: string;
  /** As it stands in the document. */
  schema: unknown;
  examples: Example[];
}

/** A value that stands for many, as JSON or as the text that is sent. */
export interface Example {
  title: string;
  value: unknown;
}

/** One form in which a body may be. */
export interface BodyContent {
  mediaType: string;
  schema: unknown;
  examples: Example[];
}

export interface Body {
  description: string;
  required: boolean;
  contents: BodyContent[];
}

export interface ApiResponse {
  status: string;
  description: string;
  headers: Parameter[];
  contents: BodyContent[];
}

/** An operation, the same for each version of the specification. */
export interface ApiOperation {
  kind: "operation" | "webhook";
  /** Where it stands in the document. */
  pointer: string;
  method: string;
  /** The path of the address; a webhook's name. */
  target: string;
  id: string;
  summary: string;
  description: string;
  deprecated: boolean;
  tags: string[];
  /** Each entry is one way in: all the schemes that it names are needed. */
  security: SecurityNeed[][];
  servers: string[];
  parameters: Parameter[];
  body: Body | undefined;
  responses: ApiResponse[];
  callbacks: string[];
}

export interface SecurityNeed {
  scheme: string;
  scopes: string[];
}

/** An operation with the path of its page. */
export interface PlacedOperation {
  operation: ApiOperation;
  path: string;
}

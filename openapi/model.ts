/** The parts of an OpenAPI document that this folder generates. Source: OpenAPI Specification 3.1.1 §4.8. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Reference {
  readonly $ref: string;
}

export interface MediaType {
  readonly schema: Schema;
}

/** By media type. */
export type Content = Readonly<Record<string, MediaType>>;

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

/** By status code, or `default`. */
export type Responses = Readonly<Record<string, Response | Reference>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema: Schema;
}

export interface RequestBody {
  readonly description: string;
  readonly required: boolean;
  readonly content: Content;
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody;
  readonly responses: Responses;
}

/** An OpenAPI document. The types cover only the parts that this project reads. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly tags: readonly Schema[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The operations of a path and their common parameters. */
export type PathItem = Readonly<Record<string, OperationObject | readonly (Parameter | Reference)[]>>;

/** Returns a reference to a component. */
export const ref = (
  kind: 'schemas' | 'responses' | 'parameters' | 'headers',
  name: string,
): Reference & Schema => ({ $ref: `#/components/${kind}/${name}` });

import { functionBehind, type Synthesis, target } from './synthesis.ts';

/** One operation of the API. `ANY` means every method without an operation of its own. */
export interface Operation {
  readonly path: string;
  readonly method: 'ANY' | 'OPTIONS';
  readonly operationId: string;
  readonly security?: unknown;
  readonly 'x-amazon-apigateway-integration': Integration;
}

interface Integration {
  readonly type: string;
  readonly httpMethod: string;
  readonly uri: unknown;
  readonly credentials: unknown;
}

export interface GatewayResponse {
  readonly statusCode?: string;
  readonly responseParameters: Readonly<Record<string, string>>;
  readonly responseTemplates: Readonly<Record<string, string>>;
}

/** The OpenAPI document that defines the API. */
export interface Definition {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'path' | 'method'>>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  readonly 'x-amazon-apigateway-gateway-responses': Readonly<Record<string, GatewayResponse>>;
}

export const definitionOf = (service: Synthesis): Definition =>
  service.one('AWS::ApiGateway::RestApi').Properties.Body as Definition;

const METHODS = { 'x-amazon-apigateway-any-method': 'ANY', options: 'OPTIONS' } as const;

/** All operations of the API. @throws Error if the document has another method */
export const operationsOf = (service: Synthesis): Operation[] =>
  Object.entries(definitionOf(service).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([key, operation]) => {
      const method = METHODS[key as keyof typeof METHODS];
      if (method === undefined) throw new Error(`${path} has the method ${key}`);
      return { path, method, ...operation };
    }),
  );

/** The logical id of the function that an address of API Gateway invokes. */
export function calledBy(service: Synthesis, uri: unknown): string {
  const parts = (uri as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1];
  const [id, ...others] = parts.map(target).filter((one) => one !== '' && !one.startsWith('AWS::'));
  if (id === undefined || others.length > 0)
    throw new Error(`One function is expected: ${JSON.stringify(uri)}`);
  return functionBehind(service, id);
}

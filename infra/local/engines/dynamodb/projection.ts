import type { Tokens } from './tokens.ts';

/**
 * Reads a projection expression: attributes with commas between them.
 *
 * Source: DynamoDB Developer Guide "Using projection expressions in DynamoDB".
 */
export function parseProjection(tokens: Tokens): string[] {
  do {
    const before = tokens.attributes.size;
    const name = tokens.attribute();
    if (tokens.attributes.size === before) {
      throw tokens.fault(`Two document paths overlap with each other: [${name}]`);
    }
  } while (tokens.take(','));
  return [...tokens.attributes];
}

import type { Item, Value } from './value.ts';

/** The members of responses and errors that have attribute values. Source: DynamoDB API Reference. */
interface Document {
  readonly Item?: Item;
  readonly Attributes?: Item;
  readonly LastEvaluatedKey?: Item;
  readonly Items?: readonly Item[];
  readonly Responses?: Readonly<Record<string, readonly Item[]>>;
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys: readonly Item[] }>>;
  readonly CancellationReasons?: readonly Document[];
}

/** An attribute value of the SDK: as on the wire, with bytes in place of base64. */
type TypedValue = Readonly<Record<string, unknown>>;

/** Returns a copy of a response, or of the members of an error, with bytes in place of base64. */
export function typedDocument(document: Document): object {
  const { Item, Attributes, LastEvaluatedKey, Items, Responses, UnprocessedKeys, CancellationReasons } =
    document;
  return {
    ...document,
    ...(Item && { Item: typedItem(Item) }),
    ...(Attributes && { Attributes: typedItem(Attributes) }),
    ...(LastEvaluatedKey && { LastEvaluatedKey: typedItem(LastEvaluatedKey) }),
    ...(Items && { Items: Items.map(typedItem) }),
    ...(Responses && { Responses: mapValues(Responses, (items) => items.map(typedItem)) }),
    ...(UnprocessedKeys && {
      UnprocessedKeys: mapValues(UnprocessedKeys, (table) => ({ ...table, Keys: table.Keys.map(typedItem) })),
    }),
    ...(CancellationReasons && { CancellationReasons: CancellationReasons.map(typedDocument) }),
  };
}

function typedItem(item: Item): Readonly<Record<string, TypedValue>> {
  return mapValues(item, typedValue);
}

function typedValue(value: Value): TypedValue {
  if (value.B !== undefined) return { B: bytesOf(value.B) };
  if (value.BS) return { BS: value.BS.map(bytesOf) };
  if (value.L) return { L: value.L.map(typedValue) };
  return value.M ? { M: typedItem(value.M) } : { ...value };
}

function bytesOf(base64: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(base64, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
}

const mapValues = <From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));

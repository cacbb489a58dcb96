import { otherSpellingOf } from '../../http/request.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Parts, ReadContent } from '../../representations/representation.ts';
import { isOwnBinary } from '../../resource/binary.ts';
import { type Description, isServerField } from '../../resource/description/description.ts';
import { faultsOfNames, otherSpelling } from '../../resource/description/misspelt-names.ts';
import { takeBinaries } from '../../resource/description/sent-binaries.ts';
import {
  MAXIMUM_ENTITY,
  removeNulls,
  valuesOf,
  withDefaults,
  withUpdateDefaults,
} from '../../resource/description/values.ts';
import { numberOfId } from '../../resource/kinds/numbers.ts';
import { faultsOfState, sentState } from '../../resource/process.ts';
import { descriptionOf, schemaValidatorOf } from '../../resource/resource.ts';
import type { Content, ContentOfParts } from '../content.ts';
import { type Ending, end, refuse } from '../ending.ts';
import type { Authorized, Preferred, Received, Targeted } from '../exchange.ts';
import { formatsOf } from './accepted-formats.ts';
import {
  fillFromPath,
  readAs,
  refuseMalformed,
  refuseTooLarge,
  takeRelated,
  validateValues,
} from './body.ts';
import { acceptItems, type SentList } from './list-body.ts';

type Read = Content | ContentOfParts | Ending<400 | 403 | 413 | 415>;
type Exchange = Received & Targeted & Authorized & Preferred;

/**
 * Reads a complete representation in any format of an item. It returns a promise only if the parser is not loaded
 * yet. `copies`: a list may have identifiers of items that exist.
 */
export function readItem(exchange: Exchange, copies = false): Read | Promise<Read> {
  const { request, resource, endpoint, preferences } = exchange;
  const read = readAs(
    request,
    formatsOf(request.method, resource, endpoint),
    request.method === 'POST' ? 'Accept-Post' : 'Accept',
  );
  if (read.kind === 'ending') return read;
  const only = endpoint.content === 'items';
  const list = only || endpoint.several ? { name: resource.name, only } : undefined;
  const take = (document: ReadContent): Read | Promise<Read> => {
    if ('problem' in document) return end(document.problem);
    if ('fault' in document) return refuseMalformed(read.format.mediaTypes[0], document.fault);
    if (document.parts) return takeParts(exchange, document.value, document.parts, read.bytes.length);
    const sentList = list && listOf(exchange, document.value);
    if (sentList?.faults)
      return refuse('validation-error', 'The list has another name', { errors: sentList.faults });
    if (sentList) return acceptItems(exchange, sentList);
    return acceptItem(exchange, document.value, read.bytes.length);
  };
  const sending = {
    contentType: request.headers['content-type'] ?? '',
    isIgnored: false,
    others: resource.otherNames,
    makesCopies: copies || !endpoint.creates || preferences.get('handling') === 'lenient',
  };
  const document = read.format.read(read.bytes, descriptionOf(resource), list, sending);
  return document instanceof Promise ? document.then(take) : take(document);
}

/** Properties of a list beside its items, as GET shows them. Source: Specification 2.34. */
const ENVELOPE: readonly string[] = ['limit', 'offset', 'total', 'ignored', 'links'];

/**
 * The list in a document: an array, or an object with the array in `items` or under the name of the collection. An item
 * may have a property `items`, so POST takes an object for a list only if it has no other property than a list has.
 *
 * Source: Specification 9.1, 9.5.
 */
function listOf({ resource, endpoint }: Received & Targeted, document: JsonValue): SentList | undefined {
  if (Array.isArray(document)) return { elements: document, pointer: '' };
  if (!isObject(document)) return undefined;
  const names = ['items', resource.name];
  for (const [key, elements] of Object.entries(document)) {
    const meant = names.includes(key) ? key : otherSpellingOf(key, names);
    if (meant === undefined || !Array.isArray(elements)) continue;
    const isList = Object.keys(document).every((name) => name === key || ENVELOPE.includes(name));
    if (endpoint.content !== 'items' && !isList) continue;
    const pointer = `/${key}`;
    if (meant === key) return { elements, pointer };
    return {
      elements,
      pointer,
      faults: [{ pointer, detail: otherSpelling(resource.name, meant), rule: 'name' }],
    };
  }
  return undefined;
}

/** Takes content of several parts. If one part is the content, it is read as if the request had its bytes alone. */
async function takeParts(exchange: Exchange, value: JsonValue, parts: Parts, size: number): Promise<Read> {
  const { request } = exchange;
  const { whole, headers, identity } = parts;
  const content = whole
    ? await readItem(
        {
          ...exchange,
          request: {
            ...request,
            headers: { ...request.headers, 'content-type': whole.mediaType },
            content: () => whole.bytes,
          },
        },
        whole.makesCopies,
      )
    : acceptItem(exchange, value, size, parts);
  return content.kind === 'ending' || content.kind === 'parts'
    ? content
    : { kind: 'parts', content, headers, identity };
}

/** Reads the values of an item from a document. `size`: bytes of the text of the document, or more. */
function acceptItem(
  exchange: Received & Targeted & Authorized,
  document: JsonValue,
  size: number,
  parts?: Parts,
): Content | Ending<400 | 403 | 413> {
  const { resource, endpoint, fieldLimits } = exchange;
  const description = descriptionOf(resource);
  if (!isObject(document) || endpoint.content === 'items') {
    const wanted = endpoint.content === 'items' ? 'an array of items' : 'an object';
    return refuse('validation-error', `The body must be ${wanted}`, {
      errors: [{ pointer: '', detail: `must be ${wanted}` }],
    });
  }
  const other = otherIdentifier(exchange, description, document);
  if (other) return other;
  const values = valuesOf(description, document);
  const own = { collection: resource.name, id: endpoint.creates ? undefined : exchange.parameters.id };
  const taken = takeBinaries(description, values, (value, name) => isOwnBinary(value, name, own));
  const faultyInputs = parts?.faults ?? [];
  const others = taken.faults.filter(({ pointer }) => faultyInputs.every((one) => one.pointer !== pointer));
  const files = parts?.files ?? [];
  const inputs = [...(parts?.removed ?? []), ...files.map(({ name }) => name)];
  const misspelt = faultsOfNames(resource.name, description, document, inputs);
  const state = sentState(resource.process, document);
  const faults = [
    ...faultyInputs,
    ...others,
    ...misspelt,
    ...takeRelated(resource.relations, document, values),
    ...(endpoint.creates ? faultsOfState(resource.process, state) : []),
  ];
  const binaries = [...taken.binaries, ...files];
  const removed = removeNulls(description, values);
  const refusal = endpoint.creates && fieldLimits?.refusedCreation({ values, binaries });
  if (refusal) return end(refusal);
  // Content of parts that leaves all of them out changes nothing.
  if (endpoint.content === 'change' && parts)
    return { kind: 'change', partial: values, cleared: parts.removed, binaries, state, faults, isForm: true };
  const replaces = endpoint.content === 'item' && !endpoint.creates;
  // A new item has no bytes to remove.
  const changes = endpoint.creates ? binaries.filter(({ sent }) => sent) : binaries;
  const isSet = Object.keys(values).length + changes.length + faults.length > 0;
  // A PUT may remove properties by null, or repeat an emptied item. Source: Specification 2.14, 2.15.
  const empties = replaces && (removed.length > 0 || namesServerField(description, document));
  const empty = isSet || empties ? undefined : refusalOfEmpty(description, parts !== undefined);
  // `mergeInto` validates them together with the values that stay, after look-up.
  if (endpoint.content === 'change')
    return empty ?? { kind: 'change', partial: values, cleared: [], binaries, state, faults };
  const kept = endpoint.creates ? [] : fieldLimits?.kept;
  const sent = [...Object.keys(values), ...removed];
  fillFromPath(exchange, values);
  const faulty = validateValues(schemaValidatorOf(resource), values, { kept, faults }) ?? empty;
  if (faulty) return faulty;
  if (endpoint.creates) withDefaults(description, values);
  else withUpdateDefaults(description, values, { removed, kept });
  // The defaults are shorter than half of an item.
  const tooLarge = size > MAXIMUM_ENTITY / 2 ? refuseTooLarge(values) : undefined;
  return tooLarge ?? { kind: 'item', values, sent, binaries: changes, state };
}

/** True if a document has a property of the service, as GET of an emptied item has. Source: Specification 2.15. */
const namesServerField = (description: Description, document: JsonObject): boolean =>
  Object.keys(document).some((name) => isServerField(description, name));

/** Refuses content without a property of the client. Source: Specification 2.14. */
const refusalOfEmpty = ({ identifier: { name } }: Description, hasParts: boolean): Ending<400> =>
  refuse(
    'validation-error',
    hasParts
      ? 'The form is empty. Fill in at least one input'
      : 'The body has no property that a client can set. Add one',
    {
      errors: [
        { pointer: '', detail: `must have a property other than ${name}, times and links`, rule: 'empty' },
      ],
    },
  );

/** Refuses a body whose identifier differs from the one in the path. */
function otherIdentifier(
  { endpoint, parameters }: Targeted,
  { identifier: { name } }: Description,
  document: JsonObject,
): Ending<400> | undefined {
  const sent = Object.hasOwn(document, name) ? document[name] : undefined;
  if (endpoint.creates || sent === undefined || numberOfId(sent) === parameters.id) return undefined;
  return refuse('validation-error', 'The body names another item than the path. Leave its identifier out', {
    errors: [{ pointer: `/${name}`, detail: `must be ${parameters.id}, or be left out` }],
  });
}

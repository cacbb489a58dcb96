import type { Preconditions, Validators } from '../http/conditions.ts';
import type { Preferences } from '../http/prefer.ts';
import type { ByteRange } from '../http/range.ts';
import type { Request } from '../http/request.ts';
import type { JsonObject } from '../json/value.ts';
import type { FormFields } from '../representations/form-fields.ts';
import type { Patch } from '../representations/patches.ts';
import type { Representation } from '../representations/representation.ts';
import type {
  Expected,
  IdempotentRequest,
  SentBytes,
  SentFile,
  SentItem,
  Upload,
} from '../resource/action.ts';
import type { Outcome, State } from '../resource/outcome.ts';
import type { PageQuery } from '../resource/page.ts';
import type { Resource } from '../resource/resource.ts';
import type { Endpoint, Route } from '../resource/route.ts';
import type { Work } from '../resource/work.ts';
import type { Ending } from './ending.ts';
import type { Written } from './response/written.ts';

/** The values of a path's parameters. */
export interface PathParameters {
  /** The integer in place of `{id}`. */
  readonly id?: number;
  /** The text in place of the identifier that the client chose. */
  readonly name?: string;
  /** The texts in place of all others, by the names of the parameters. */
  readonly others: Readonly<Record<string, string>>;
}

/** The state of one request in the flow. Each step stores its results here for the steps after it. */
export interface Exchange {
  readonly request: Request;
  readonly resource: Resource;
  /** Set by `method`. */
  route: Route;
  operation: Endpoint;
  parameters: PathParameters;
  /** Set by `preferences`: the preferences of the client, and those that the service has applied. */
  preferences: Preferences;
  applied: string[];
  /** `max-affected`: how many items the request may change. */
  maximum?: number;
  /** Set by `query`. */
  page?: PageQuery;
  /** The properties that the query parameter `fields` selects. */
  fields?: ReadonlySet<string>;
  /** Set by `negotiate`. */
  representation: Representation;
  /** The 406 to send if no representation is acceptable. The step `acceptable` decides whether to send it. */
  notAcceptable?: Ending<406>;
  /** Set by `content`. */
  preconditions: Preconditions;
  values?: JsonObject;
  /** A refusal of the query or the content. Look-up sends it unless the parent is missing, which gets 404. */
  pendingRefusal?: Ending<400 | 413 | 415>;
  patch?: Patch;
  /** The properties that a change sets, and those that it removes. */
  partialValues?: JsonObject;
  clearedFields?: readonly string[];
  /** The inputs of a form, by name. */
  submitted?: FormFields;
  /** Present if the request has an idempotency key or runs as an operation: it has its effect once. */
  once?: IdempotentRequest;
  /** Present if the request was accepted before and now runs as an operation. */
  work?: Work;
  /** Set by `replay`: an earlier run of the operation started and recorded no result. */
  resumed?: boolean;
  bytesBody?: SentBytes;
  elements?: readonly SentItem[];
  files?: readonly SentFile[];
  /** Files whose bytes the client uploads to presigned URLs. */
  uploads?: readonly Upload[];
  /** Set by `lookUp`: the outcome of the read of the target, and its state if it exists. */
  lookup?: Outcome;
  state?: State;
  validators?: Validators;
  /** The text of the state, if the text decides the entity tag or the end of a page. */
  rendered?: Written;
  expected?: Expected;
  /** Set by `range`. */
  ranges?: readonly ByteRange[];
  /** Set by `act`. */
  outcome?: Outcome;
  /** The bytes to send: one entry for the whole, or one for each range. */
  bytes?: readonly Uint8Array[];
}

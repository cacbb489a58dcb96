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
import type { Operation, Route } from '../resource/route.ts';
import type { Work } from '../resource/work.ts';
import type { Ending } from './ending.ts';
import type { Written } from './response/written.ts';

/** One request on its way through the flow: what each step found, for the steps after it. */
export interface Exchange {
  readonly request: Request;
  readonly resource: Resource;
  /** Found by `method`. */
  route: Route;
  operation: Operation;
  parameters: Readonly<Record<string, number | string>>;
  /** Found by `preferences`: what the client would like, and which of it was done. */
  preferences: Preferences;
  applied: string[];
  /** How many items may be changed at most. */
  maximum?: number;
  /** Found by `query`. */
  page?: PageQuery;
  /** The members that `fields` asks for. */
  fields?: ReadonlySet<string>;
  /** Found by `negotiate`. */
  representation: Representation;
  /** None of the representations is acceptable. */
  notAcceptable?: Ending<406>;
  /** Found by `content`. */
  preconditions: Preconditions;
  values?: JsonObject;
  /** What is wrong with content whose parent may be missing. */
  pendingRefusal?: Ending<400 | 413 | 415>;
  patch?: Patch;
  /** The members that a change names, and those it removes. */
  partialValues?: JsonObject;
  clearedFields?: readonly string[];
  /** The inputs of a form. */
  submitted?: FormFields;
  /** The request is to have its effect once. */
  once?: IdempotentRequest;
  /** The request is worked on as an operation: it was accepted before. */
  work?: Work;
  /** Found by `replay`: an earlier run of the operation began, and did not say how it ended. */
  resumed?: boolean;
  bytesBody?: SentBytes;
  elements?: readonly SentItem[];
  files?: readonly SentFile[];
  /** Files that are to be sent elsewhere. */
  uploads?: readonly Upload[];
  /** Found by `lookUp`: the outcome of reading the target; its state where there is one. */
  lookup?: Outcome;
  state?: State;
  validators?: Validators;
  /** The state as it is sent, where its text decides the entity tag or the end of a page. */
  rendered?: Written;
  expected?: Expected;
  /** Found by `range`. */
  ranges?: readonly ByteRange[];
  /** Found by `act`. */
  outcome?: Outcome;
  /** The whole, or each range. */
  bytes?: readonly Uint8Array[];
}

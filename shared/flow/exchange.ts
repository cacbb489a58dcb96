import type { Preconditions, Validators } from '../http/conditional/conditions.ts';
import type { ByteRange } from '../http/conditional/range.ts';
import type { Preferences } from '../http/fields/prefer.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { Document, Parts, Representation } from '../representations/representation.ts';
import type { FieldLimits } from '../resource/access/field-access.ts';
import type { Sight } from '../resource/access/sight.ts';
import type { Action, Expected, IdempotentRequest } from '../resource/actions/action.ts';
import type { Outcome, Shown, State } from '../resource/actions/outcome.ts';
import type { Work } from '../resource/actions/work.ts';
import type { ResourceFacts } from '../resource/facts.ts';
import type { PageQuery } from '../resource/lists/page.ts';
import type { Expansion } from '../resource/relation.ts';
import type { Resource } from '../resource/resource.ts';
import type { Endpoint, Route } from '../resource/route.ts';
import type { Content } from './content.ts';
import type { Ending } from './ending.ts';

/*
 * The exchange is the state of one request in the flow. It grows: each interface is what one step adds. A step reads
 * what the steps before it have added, and never changes it.
 */

/** The identity of an idempotent request. `callOf` adds `answer`, because the flow renders the recorded answer. */
export type KeyedRequest = Omit<IdempotentRequest, 'answer'>;

/** The run of a request that the service accepted before as an operation. */
export interface OperationRun {
  readonly work: Work;
  readonly keyed: KeyedRequest;
}

/** The start of an exchange. */
export interface Received {
  readonly request: Request;
  readonly resource: Resource;
  /** Present if a worker runs the request. */
  readonly asOperation: OperationRun | undefined;
  /** Makes the response to the request after the last step. The action may record it with its effect. */
  readonly respond: (exchange: Answerable) => Promise<Response>;
}

/** The preferences that the service has applied, for `Preference-Applied`. A step that applies one extends the list. */
interface Applying {
  readonly applied: readonly string[];
}

/** The values of a path's parameters. */
export interface PathParameters {
  /** The integer in place of `{id}`. */
  readonly id?: number;
  /** The text in place of the identifier that the client chose. */
  readonly name?: string;
  /** The texts in place of all others, by the names of the parameters. */
  readonly others: Readonly<Record<string, string>>;
}

/** Added by `method`. */
export interface Targeted {
  readonly route: Route;
  readonly endpoint: Endpoint;
  /** True if the method is safe: the client requests no change. */
  readonly isSafe: boolean;
  readonly parameters: PathParameters;
  /** The binary property that `fields` names alone. In an open resource, it can also be any other property. */
  readonly binary: string | undefined;
}

/** Added by `authorize`. */
export interface Authorized {
  /** The request, whose principal may now be a manager. */
  readonly request: Request;
  /** What the caller sees of items; undefined if the resource describes none. */
  readonly sight: Sight | undefined;
  /** What the caller cannot see or set in items; undefined: nothing. */
  readonly fieldLimits: FieldLimits | undefined;
}

/** Added by `preferences`. */
export interface Preferred extends Applying {
  readonly preferences: Preferences;
  /** `max-affected`: how many items the request may change. */
  readonly maximum: number | undefined;
}

/** A refusal of the query or the content. A missing parent has precedence: look-up sends 404 instead. */
export interface PendingRefusal {
  readonly ending: Ending<400 | 403 | 413 | 415>;
  /** Checks whether the parent exists. */
  readonly parent: Action<'item'>;
}

/** A relation, under its name. */
export type NamedRelation = Pick<Expansion, 'name' | 'relation'>;

/** Added by `query`. */
export interface Selected extends Applying {
  /** The page to read. It is the first page in the default order if the request does not read a list. */
  readonly page: PageQuery;
  /** The properties that the query parameter `fields` of a GET selects. */
  readonly fields: ReadonlySet<string> | undefined;
  /** The relations that the query parameter `expand` of a GET names. */
  readonly expand: readonly NamedRelation[];
  /** The parameters of a list that have no effect. Its representation names them. */
  readonly ignored: readonly string[];
  readonly pendingRefusal: PendingRefusal | undefined;
}

/** Added by `negotiate`. */
export interface Negotiated {
  readonly representation: Representation;
  /** The 406 to send if no representation is acceptable. The step `acceptable` decides whether to send it. */
  readonly notAcceptable: Ending<406> | undefined;
}

/** Added by `content`. */
export interface SentContent extends Applying {
  /** The request, with its content decoded if it has a content coding, and with the header fields in its content. */
  readonly request: Request;
  /** Undefined: the request has none. */
  readonly preconditions: Preconditions | undefined;
  readonly content: Content;
  /** What identifies a repeat of the request, if not all bytes of the content do. */
  readonly identity: Parts['identity'] | undefined;
  readonly pendingRefusal: PendingRefusal | undefined;
}

/** Added by `idempotencyKey`. */
export interface Keyed {
  /** Present if the request has an idempotency key or runs as an operation. */
  readonly keyed: KeyedRequest | undefined;
}

/** The exchange after the steps that decide from the request alone. */
export type Understood = Received &
  Targeted &
  Authorized &
  Preferred &
  Selected &
  Negotiated &
  SentContent &
  Keyed;

/** Added by `replay`. */
export interface Replayed {
  /** True if an earlier run of the operation started and recorded no result. */
  readonly resumed: boolean;
}

/** A state with its document and the text of it. */
export interface Rendered {
  readonly state: Shown;
  readonly document: Document;
  readonly text: string;
}

/** Added by `lookUp`: the outcome of the read of the target, and its state if it exists. */
export interface LookedUp extends Applying {
  readonly lookup: Outcome | undefined;
  readonly state: State | undefined;
  /** The related items to show inside the items of the state; undefined if the client wants none. */
  readonly expansions: readonly Expansion[] | undefined;
  readonly validators: Validators | undefined;
  /** The text of the state, if the text decides the entity tag or the end of a page. */
  readonly rendered: Rendered | undefined;
}

/** Added by `preconditions`. */
export interface Expecting {
  /** The condition of the write. */
  readonly expected: Expected;
}

/** Added by `bytes`. */
export interface Ranged {
  readonly ranges: readonly ByteRange[] | undefined;
}

/** The exchange before the step `act`. */
export type Ready = Understood & Replayed & LookedUp & Expecting & Ranged;

/** The bytes to send: the whole, one entry for each range, or nothing but their number. */
export type BytesRead =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'length' }
  | {
      readonly kind: 'ranges';
      readonly parts: readonly { readonly range: ByteRange; readonly bytes: Uint8Array }[];
    };

/** Added by `act`. */
export interface Acted extends Applying {
  readonly outcome: Outcome;
  /** The bytes to send. */
  readonly bytes: BytesRead | undefined;
}

/** The exchange after all steps. */
export type Done = Ready & Acted;

/** Every property of an exchange, for its start: V8 is slow with objects that gain many properties (decision 1). */
export const EMPTY_EXCHANGE: Readonly<Record<keyof Done, undefined>> = {
  request: undefined,
  resource: undefined,
  asOperation: undefined,
  respond: undefined,
  route: undefined,
  endpoint: undefined,
  isSafe: undefined,
  parameters: undefined,
  binary: undefined,
  sight: undefined,
  fieldLimits: undefined,
  preferences: undefined,
  maximum: undefined,
  applied: undefined,
  page: undefined,
  fields: undefined,
  expand: undefined,
  ignored: undefined,
  pendingRefusal: undefined,
  representation: undefined,
  notAcceptable: undefined,
  preconditions: undefined,
  content: undefined,
  identity: undefined,
  keyed: undefined,
  resumed: undefined,
  lookup: undefined,
  state: undefined,
  expansions: undefined,
  validators: undefined,
  rendered: undefined,
  expected: undefined,
  ranges: undefined,
  outcome: undefined,
  bytes: undefined,
};

/** The part of an exchange from which `documentOf` makes a document of a state. */
export type View = Omit<Understood, 'resource'> & Partial<LookedUp> & { readonly resource: ResourceFacts };

/** The part of an exchange from which the flow makes a response. A recorded answer is made before the effect. */
export type Answerable = Understood & Partial<LookedUp> & Pick<Acted, 'outcome'> & Partial<Acted>;

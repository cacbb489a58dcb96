import { AsyncLocalStorage } from 'node:async_hooks';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Engines, inProcess } from 'embedded-aws';
import { dynamoDbService } from '../../../engines/dynamodb/service.ts';
import { answerJson } from '../../../engines/json-protocol.ts';
import { ASSUMED } from '../../../tools/cost/assumptions.ts';
import type { VirtualClock } from './clock.ts';
import { Partitions, type Units } from './model/partitions.ts';
import { type Call, type Place, placesOf } from './model/places.ts';
import type { Refusals } from './model/refusals.ts';

/** What a deployment has of DynamoDB. Units a second of each table and each index. */
export interface Tables {
  readonly warm: Units;
  readonly quota: number;
  /** Ms for which a partition is hot before it becomes two. */
  readonly splitMs: number;
}

type Retries = Extract<
  Awaited<ReturnType<DynamoDBClient['config']['retryStrategy']>>,
  { acquireInitialRetryToken: unknown }
>;
type Handle = ReturnType<typeof inProcess>['handle'];

/** The environment of a function whose handler runs. Each has a budget of the SDK for retries of its own. */
export interface CallingEnvironment {
  readonly weight: number;
  readonly retries: Retries;
}

/** The environment that calls; undefined: the set-up, whose calls take no time and no units. */
export const running = new AsyncLocalStorage<CallingEnvironment>();

/** The ms of a call: up to half more or less than the mean. */
const varied = (mean: number, random: () => number): number => mean * (0.5 + random());

/** Makes the SDK ask the budget of the environment that runs. */
export async function retriesOfEnvironments(): Promise<{
  make: () => Promise<Retries>;
  retryStrategy: Retries;
}> {
  const make = async () => {
    const made = await new DynamoDBClient({ region: 'us-east-1', maxAttempts: 3 }).config.retryStrategy();
    if ('acquireInitialRetryToken' in made) return made;
    throw new Error('The retry strategy of the SDK is an old one');
  };
  const shared = await make();
  const present = (): Retries => running.getStore()?.retries ?? shared;
  const retryStrategy: Retries = {
    acquireInitialRetryToken: (scope) => present().acquireInitialRetryToken(scope),
    refreshRetryTokenForRetry: (token, error) => present().refreshRetryTokenForRetry(token, error),
    recordSuccess: (token) => present().recordSuccess(token),
  };
  return { make, retryStrategy };
}

interface Capacity {
  readonly CapacityUnits: number;
}
interface Consumed extends Capacity {
  readonly TableName: string;
  readonly Table?: Capacity;
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, Capacity>>;
}

/** DynamoDB's limits in front of the embedded engine. A refused call gets the answer of DynamoDB. */
export class Database {
  readonly #clock: VirtualClock;
  readonly #engines: Engines;
  readonly #limits: Tables;
  readonly #partitions = new Map<string, Partitions>();
  readonly #refusals: Refusals;

  constructor(clock: VirtualClock, engines: Engines, limits: Tables, refusals: Refusals) {
    this.#clock = clock;
    this.#engines = engines;
    this.#limits = limits;
    this.#refusals = refusals;
  }

  /** The transport of the SDK's clients. */
  get requestHandler() {
    const whole = inProcess(this.#engines);
    const handle: Handle = async (request, options) => {
      const [service, operation = ''] = String(request.headers['x-amz-target']).split('.');
      const weight = running.getStore()?.weight;
      if (weight === undefined) return whole.handle(request, options);
      const isDynamoDb = service === 'DynamoDB_20120810';
      const ms = varied(ASSUMED.callMs[isDynamoDb ? 'dynamodb' : 'eventbridge'], this.#clock.random);
      await this.#clock.sleep(ms / 2);
      const answer = isDynamoDb
        ? await this.#answer(operation, JSON.parse(textOf(request.body)), weight)
        : await whole.handle(request, options);
      await this.#clock.sleep(ms / 2);
      return answer;
    };
    return { ...whole, handle };
  }

  async #answer(operation: string, input: Call, weight: number) {
    const { dynamoDb } = this.#engines;
    const { now } = this.#clock;
    const places = placesOf(dynamoDb, operation, input);
    for (const place of places) {
      const by = this.#partitionsOf(place).refusal(place.hash, place.kind, now);
      if (by === undefined) continue;
      this.#refusals.note(`${nameOf(place)}: ${by}, ${place.kind}`, weight, now);
      return refuse(operation, input.TransactItems?.length ?? 0);
    }
    const body = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' }));
    const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
    const request = { method: 'POST', path: '/', query: '', headers, body: [body] };
    const { status: statusCode, ...answer } = await answerJson(
      dynamoDbService,
      dynamoDb,
      request,
      () => undefined,
    );
    const { ConsumedCapacity = [] }: { ConsumedCapacity?: Consumed | Consumed[] } = JSON.parse(
      textOf(answer.body),
    );
    for (const one of [ConsumedCapacity].flat()) this.#charge(one, places, weight);
    return { response: { statusCode, ...answer } };
  }

  /** Divides the units of a table, and of each index, equally between the places of the call there. */
  #charge(
    { TableName, Table, GlobalSecondaryIndexes = {} }: Consumed,
    places: readonly Place[],
    weight: number,
  ) {
    for (const [index, { CapacityUnits }] of [
      [undefined, Table ?? { CapacityUnits: 0 }] as const,
      ...Object.entries(GlobalSecondaryIndexes),
    ]) {
      const there = places.filter((place) => place.table === TableName && place.index === index);
      for (const place of there) {
        const units = (weight * CapacityUnits) / there.length;
        this.#partitionsOf(place).charge(place.hash, place.kind, units, this.#clock.now);
      }
    }
  }

  #partitionsOf(place: Place): Partitions {
    const name = nameOf(place);
    const { warm, quota, splitMs } = this.#limits;
    const found = this.#partitions.get(name) ?? new Partitions(warm, quota, splitMs);
    this.#partitions.set(name, found);
    return found;
  }
}

const nameOf = ({ table, index }: Place): string =>
  `${index === undefined ? '' : `${index} of `}${table.slice(table.lastIndexOf('-') + 1)}`;

const textOf = (body: unknown): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : String(body);

/** The answer of DynamoDB to a call that it throttles. Source: Amazon DynamoDB API Reference, Query, TransactWriteItems. */
function refuse(operation: string, parts: number) {
  const isTransaction = operation === 'TransactWriteItems';
  const name = isTransaction ? 'TransactionCanceledException' : 'ThrottlingException';
  const reason = { Code: 'ThrottlingError', Message: 'Throughput exceeds the current capacity' };
  const document = {
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message: reason.Message,
    ...(isTransaction && { CancellationReasons: Array.from({ length: parts }, () => reason) }),
  };
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return { response: { statusCode: 400, headers, body: Buffer.from(JSON.stringify(document)) } };
}

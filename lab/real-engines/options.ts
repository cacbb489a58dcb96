/** The services that have a real engine. */
export const SERVICES = ['dynamodb', 's3', 'sqs'] as const;
export type Service = (typeof SERVICES)[number];

/** The engines of S3. */
export type S3Name = 'versitygw' | 'minio';

export interface Options {
  /** The services with a real engine. The others stay embedded. */
  readonly only: readonly Service[];
  readonly s3: S3Name;
  /** The command and its arguments. */
  readonly command: readonly string[];
}

export const USAGE = `npm run tool -- engines [--only SERVICES] [--s3 ENGINE] COMMAND...
  Runs COMMAND on real engines instead of the embedded ones, ends them after it, and exits with its status.
  --only SERVICES  which are real, of dynamodb,s3,sqs; all of them without it
  --s3 ENGINE      versitygw (without it) or minio
For example: npm run tool -- engines npm start
             npm run tool -- engines npm test -- test/engines test/conformance
Needs JDK 17 or newer and Maven for DynamoDB Local and ElasticMQ, Go 1.26 or newer for versitygw and MinIO.
The first run installs what it needs into .engines/ of this checkout: DynamoDB Local 48 MB, ElasticMQ 37 MB (half a
minute each at most), versitygw 84 MB (2 to 3 minutes), MinIO 144 MB (7 minutes); Maven and Go keep what they download.`;

/** An invalid command line. Its message is one sentence for the user. */
export class OptionError extends Error {}

/**
 * Reads the options before COMMAND. All later arguments belong to the command. @throws OptionError
 */
export function readOptions(args: readonly string[]): Options {
  let only: readonly Service[] = SERVICES;
  let s3: S3Name = 'versitygw';
  let at = 0;
  for (; args[at]?.startsWith('-'); at += 2) {
    const [option, value = ''] = [args[at], args[at + 1]];
    if (option === '--only') only = servicesIn(value);
    else if (option === '--s3') s3 = s3In(value);
    else throw new OptionError(USAGE);
  }
  const command = args.slice(at);
  if (command.length === 0) throw new OptionError(USAGE);
  return { only, s3, command };
}

function servicesIn(value: string): Service[] {
  const names = value.split(',');
  const unknown = names.find((name) => !SERVICES.includes(name as Service));
  if (unknown !== undefined) throw new OptionError(`--only takes ${SERVICES.join(',')}, not '${unknown}'`);
  return names as Service[];
}

function s3In(value: string): S3Name {
  if (value === 'versitygw' || value === 'minio') return value;
  throw new OptionError(`--s3 takes versitygw or minio, not '${value}'`);
}

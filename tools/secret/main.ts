import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { ENVIRONMENT_FILE } from '../../local/settings.ts';
import { registry } from '../../service/registry.ts';
import { schedules } from '../../service/schedules.ts';
import { UserError } from '../user-error.ts';

/**
 * `npx resource-api secret NAME [--stack STACK]` reads a secret from the input, or asks for it without showing it. With a
 * stack, it sets the secret of that deployment. Without one, it sets that of `npm start`, in the file `.env`.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { stack: { type: 'string' } },
});
const known = [...new Set([...registry, ...schedules].flatMap(({ needs }) => needs?.secrets ?? []))];
const [name = '', ...others] = positionals;
if (!known.includes(name) || others.length > 0)
  throw new UserError(
    known.length === 0
      ? 'No definition needs a secret: needs: { secrets: […] } states it.'
      : `Name one secret: ${known.join(', ')}. With --stack STACK, it is that of a deployment.`,
  );
const value = process.stdin.isTTY
  ? await hiddenLine(`${name} (stays hidden): `)
  : (await text(process.stdin)).replace(/\r?\n$/, '');
if (value === '') throw new UserError('The secret is empty: nothing is set.');
const { stack } = values;
if (stack === undefined) setHere();
else await setIn(stack);
console.log(
  stack === undefined
    ? `${name} is in the file .env: start npm start again.`
    : `${name} of ${stack} is set. Running functions use it within five minutes.`,
);

/** Replaces the line of the file, or adds it. Only the user who runs this can read a new file. */
function setHere(): void {
  if (/[\r\n]/.test(value) || (value.includes("'") && value.includes('"')))
    throw new UserError('The file .env has no secret of several lines, or with both quotes.');
  const before = existsSync(ENVIRONMENT_FILE) ? readFileSync(ENVIRONMENT_FILE, 'utf8') : '';
  const kept = before.split('\n').filter((line) => line !== '' && !line.startsWith(`${name}=`));
  const quote = value.includes("'") ? '"' : "'";
  writeFileSync(ENVIRONMENT_FILE, `${[...kept, `${name}=${quote}${value}${quote}`].join('\n')}\n`, {
    mode: 0o600,
  });
}

/** Source: AWS Secrets Manager API Reference, PutSecretValue, CreateSecret. */
async function setIn(service: string): Promise<void> {
  const secrets = new SecretsManagerClient({});
  const id = `${service}/${name}`;
  try {
    await secrets.send(new PutSecretValueCommand({ SecretId: id, SecretString: value }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    const Description = `${name} of the code of ${service}`;
    await secrets.send(new CreateSecretCommand({ Name: id, Description, SecretString: value }));
  }
}

/** Asks for a line at the terminal, and shows none of its characters. */
async function hiddenLine(question: string): Promise<string> {
  process.stderr.write(question);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

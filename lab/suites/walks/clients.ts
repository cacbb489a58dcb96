/** Clients in other languages. Each sends a request with the defaults of its library. */

import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Body } from '../../../test/support/client/client.ts';
import { command } from '../../../test/support/service/command.ts';
import { pythonProgram } from '../../python.ts';
import { pathOf } from '../tools.ts';

/** A file in a form. */
export interface SentFile {
  readonly part: string;
  readonly name: string;
  readonly content: Buffer;
}

/** The content of a request. The client chooses the media type, except for that of `body`. */
export interface SentRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly files?: readonly SentFile[];
  readonly body?: Buffer;
}

/** A response, after redirects with these statuses. Names of header fields are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly redirects: readonly number[];
  readonly body: Buffer;
  json(): Body;
}

/** A client: sends a request to a URL, and ends. */
export interface Client {
  send(method: string, url: string, sent: SentRequest): Promise<Answer>;
  end(): void;
}

const answerOf = (answer: Omit<Answer, 'json'>): Answer => ({
  ...answer,
  json: () => JSON.parse(answer.body.toString()),
});

/** A request as a line of text: JSON, whose bytes are in base64. */
type LineOf = (method: string, url: string, sent: SentRequest) => string;

const inJson: LineOf = (method, url, { files, body, ...sent }) => {
  const coded = {
    files: files?.map((one) => ({ ...one, content: one.content.toString('base64') })),
    body: body?.toString('base64'),
  };
  return JSON.stringify({ method, url, ...sent, ...coded });
};

const BOUNDARY = 'walk';

/** The content as a program writes it whose library knows bytes alone, and its media type. */
function composed({ json, form, files, body }: SentRequest): readonly [content?: Buffer, type?: string] {
  if (json !== undefined) return [Buffer.from(JSON.stringify(json)), 'application/json'];
  if (form) return [Buffer.from(`${new URLSearchParams(form)}`), 'application/x-www-form-urlencoded'];
  if (!files) return [body];
  const parts = files.map(({ part, name, content }) => {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${part}"; filename="${name}"\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n')]);
  });
  const end = Buffer.from(`--${BOUNDARY}--\r\n`);
  return [Buffer.concat([...parts, end]), `multipart/form-data; boundary=${BOUNDARY}`];
}

/** The fields of the line have tabs between them: the method, the URL, the content and the header fields. */
const inTabs: LineOf = (method, url, sent) => {
  const [content, type] = composed(sent);
  const headers = { ...(type && { 'Content-Type': type }), ...sent.headers };
  const fields = Object.entries(headers).map((field) => field.join(': '));
  return [method, url, content?.toString('base64') ?? '-', ...fields].join('\t');
};

/** A client in a process that reads a request from each line of its stdin, and writes its response in JSON. */
function byLines(program: string, args: readonly string[], lineOf = inJson): Client {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  // A process that has ended gives no line, and the request fails.
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    send: async (method, url, sent) => {
      child.stdin.write(`${lineOf(method, url, sent)}\n`);
      const { value } = await lines.next();
      if (value === undefined) throw new Error(`${program} has ended`);
      const answer = JSON.parse(value) as Omit<Answer, 'body' | 'json'> & { readonly body: string };
      return answerOf({ ...answer, body: Buffer.from(answer.body, 'base64') });
    },
    end: () => child.stdin.end(),
  };
}

/** curl, which sends contents from files in a folder. */
function curl(folder: string): Client {
  const stored = async (name: string, bytes: Buffer): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  };
  const contentOf = async (method: string, { json, form = {}, files = [], body, headers }: SentRequest) => {
    const args = Object.entries(form).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`]);
    for (const { part, name, content } of files) args.push('-F', `${part}=@${await stored(name, content)}`);
    if (json !== undefined) args.push('--json', JSON.stringify(json));
    if (body === undefined) return args;
    const path = await stored('body', body);
    if (method === 'PUT') return ['-T', path];
    // Otherwise curl would call the content a form.
    const untyped = headers?.['Content-Type'] === undefined ? ['-H', 'Content-Type:'] : [];
    return ['--data-binary', `@${path}`, ...untyped];
  };
  return {
    send: async (method, url, sent) => {
      const head = join(folder, 'head');
      const fields = Object.entries(sent.headers ?? {}).flatMap((field) => ['-H', field.join(': ')]);
      const verb = method === 'HEAD' ? ['-I'] : ['-X', method];
      const follows = method === 'GET' ? ['-L'] : [];
      const args = [
        '-sS',
        '-D',
        head,
        ...follows,
        ...verb,
        ...fields,
        ...(await contentOf(method, sent)),
        url,
      ];
      const { code, stdout, log } = await command(pathOf('curl'), args);
      if (code !== 0) throw new Error(log.slice(0, 300));
      const blocks = (await readFile(head, 'latin1')).trimEnd().split('\r\n\r\n');
      const statuses = blocks.map((block) => Number(block.split(' ')[1])).filter((status) => status >= 200);
      const lines = [...(blocks.at(-1) ?? '').matchAll(/^([^:\r\n]+): *(.*?)\r?$/gm)];
      return answerOf({
        status: statuses.at(-1) ?? 0,
        headers: Object.fromEntries(lines.map(([, name = '', value]) => [name.toLowerCase(), value])),
        redirects: statuses.slice(0, -1),
        body: stdout,
      });
    },
    end: () => {},
  };
}

const python = pythonProgram(join(import.meta.dirname, '..'), 'python');
const script = (name: string): string => join(import.meta.dirname, name);

/** The clients by the names of their libraries. `folder`: for the files of curl. */
export const CLIENTS: Readonly<Record<string, (folder: string) => Client>> = {
  requests: () => byLines(python, [script('client.py'), 'requests']),
  httpx: () => byLines(python, [script('client.py'), 'httpx']),
  'net/http': () => byLines(pathOf('go'), ['run', script('client.go')]),
  // In the language of Java 11.
  'java.net.http': () => byLines(pathOf('java'), ['--source', '11', script('JavaClient.java')], inTabs),
  curl,
};

import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '../../running.ts';
import type { Adapter } from '../suite/adapter.ts';
import { unique } from '../suite/api.ts';

/** An API that the suite judges, with the set-up that its documentation shows. */
export interface Peer {
  readonly name: string;
  readonly version: string;
  /** A sentence for docs/comparison.md: how it is set up, and by which documentation. */
  readonly about: string;
  /** What was not equal in the comparison; empty if nothing. */
  readonly unequal: string;
  readonly adapter: Adapter;
  /** Installs it in a folder. It does nothing if the folder has it. @throws UserError */
  install(folder: string): Promise<void>;
  /** The program that serves it on 127.0.0.1. `data`: a folder, which is empty at the first start. */
  server(place: {
    readonly folder: string;
    readonly data: string;
    readonly port: number;
  }): Omit<Server, 'name'>;
  /** Creates its collections after the first start. */
  prepare?(url: string): Promise<void>;
  /** Ends the processes that its server leaves behind, such as a database. */
  end?(data: string): void;
}

/** Copies the set-up of a peer from its folder here. */
export function copySetup(name: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(join(import.meta.dirname, name), folder, { recursive: true });
}

/** The content of a form whose part `file` has these bytes. */
export function fileForm(name: string, bytes: Buffer, type: string) {
  const mark = unique();
  const head = `--${mark}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${mark}--\r\n`)]);
  const headers = { 'Content-Type': `multipart/form-data; boundary=${mark}` };
  return { body, headers };
}

/** Sends JSON to a peer that is being prepared. @throws Error with the response */
export async function call(
  method: string,
  url: string,
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(json),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

import { newCredentials } from '../../engines/signature.ts';

/** Where an engine runs, and with what. */
export interface Place {
  /** A free port of this machine. */
  readonly port: number;
  /** What was installed, absolute. */
  readonly programs: string;
  /** For what it keeps: empty, absolute, removed afterwards. */
  readonly data: string;
  /** Whom S3 tells of objects: the address of a webhook. */
  readonly told: string;
}

/** A program to start, and its environment besides. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** An engine: how it is installed, and how it is started. */
export interface Engine {
  readonly name: string;
  readonly version: string;
  /** Puts what it needs into a folder. */
  install(folder: string): Promise<void>;
  program(place: Place): Program;
}

/** The key pair of all engines, another one for each run. */
export const CREDENTIALS = newCredentials();
/** The region of all engines. */
export const REGION = 'us-east-1';

/** For engines in Java, which live for minutes: what compiles longer never pays here, and the command needs the processors. */
export const JAVA = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] as const;

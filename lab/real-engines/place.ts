import { newCredentials } from 'embedded-aws';

/** The port, the folders and the credentials of an engine. */
export interface Place {
  /** A free port of this machine. */
  readonly port: number;
  /** Absolute path of the installation. */
  readonly programs: string;
  /** Absolute path of an empty folder for data, which is removed afterwards. */
  readonly data: string;
  /** Address of the webhook for notifications of S3. */
  readonly webhook: string;
}

/** A program to start, with its additional environment. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** An engine with its installation and its start. */
export interface Engine {
  readonly name: string;
  readonly version: string;
  /** Installs the engine into a folder. */
  install(folder: string): Promise<void>;
  program(place: Place): Program;
}

/** The key pair of all engines, new in each run. */
export const CREDENTIALS = newCredentials();
/** The region of all engines. */
export const REGION = 'us-east-1';

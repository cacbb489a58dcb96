import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { succeed } from '../program.ts';
import type { Engine } from './place.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Folder of installed engines, which git ignores. */
const INSTALLED = join(ROOT, '.engines');

/** Installs an engine unless it is installed. Returns its folder. An incomplete installation has another name. */
export async function installEngine({ name, version, install }: Engine): Promise<string> {
  const folder = join(INSTALLED, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  console.error(`Installing ${name} ${version}`);
  await mkdir(INSTALLED, { recursive: true });
  const half = await mkdtemp(join(INSTALLED, 'half-'));
  try {
    await install(half);
    await rename(half, folder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    // Another run can have installed it in the meantime.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Copies a Maven artifact (`group:artifact:version`) and its run-time dependencies. */
export async function withMaven(artifact: string, folder: string): Promise<void> {
  const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
  const [group, name, version] = artifact.split(':');
  const pom = `${folder}.pom.xml`;
  const needed = `<groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version>`;
  await writeFile(
    pom,
    `<project><modelVersion>4.0.0</modelVersion><groupId>resource-api</groupId><artifactId>engine</artifactId>
    <version>1</version><packaging>pom</packaging><dependencies><dependency>${needed}</dependency></dependencies></project>`,
  );
  const options = ['-f', pom, `-DoutputDirectory=${folder}`, '-DincludeScope=runtime'];
  await succeed('mvn', ['-B', '-q', plugin, ...options], `${name} needs a JDK 17 and Maven`).finally(() =>
    rm(pom),
  );
}

/** Builds a program of a Go module. */
export async function withGo(packageAtVersion: string, folder: string): Promise<void> {
  const env = { ...process.env, GOBIN: folder };
  await succeed('go', ['install', '-trimpath', packageAtVersion], `${packageAtVersion} needs Go`, { env });
}

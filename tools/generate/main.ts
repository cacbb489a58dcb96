import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Description } from '../../shared/resource/description/description.ts';
import { wrongFields } from '../../shared/resource/wrong-facts/fields.ts';
import { inFields, wrongFacts } from '../../shared/resource/wrong-facts/resources.ts';
import { navigationSource } from './navigation.ts';
import { openApiSource, releasedSource } from './openapi.ts';
import { pathsSource } from './paths.ts';
import { probesSource } from './probes.ts';
import { relatedSource } from './related.ts';
import { scopesSource, signInScopesSource } from './scopes.ts';
import { releasedStoredSource } from './stored.ts';
import { judgeOf, validatorSource } from './validators.ts';

/**
 * Writes every generated file. With `--check`, it lists those that are out of date and exits with 1. Validators come
 * first, because the registry imports them. `--release` also writes what is released: the description, and what tables
 * hold.
 */
const root = join(import.meta.dirname, '../..');
const check = process.argv.includes('--check');
const stale: string[] = [];

function generated(path: string, source: string): void {
  const before = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
  if (before === source) return;
  stale.push(path);
  if (!check) writeFileSync(join(root, path), source);
}

/** Ends with the sentences about wrong definitions. */
function refuse(sentences: readonly string[]): never {
  console.error(sentences.join('\n'));
  process.exit(1);
}

for (const name of readdirSync(join(root, 'functions')).sort()) {
  const fields = join(root, 'functions', name, 'fields.ts');
  if (!existsSync(fields)) continue;
  const { description } = (await import(pathToFileURL(fields).href)) as { description: Description };
  // Only the service sets these fields, so they need no validator.
  if (Object.values(description.fields).every(({ server }) => server)) continue;
  const wrong = wrongFields(description);
  const sentences = wrong.length > 0 ? wrong : wrongFields(description, judgeOf(description));
  if (sentences.length > 0) refuse(inFields(name, sentences));
  generated(join('functions', name, 'validate.generated.ts'), validatorSource(description));
}

const paths = 'functions/root/paths.generated.ts';
if (!existsSync(join(root, paths))) generated(paths, pathsSource([]));
const signIn = 'functions/signin/scopes.generated.ts';
if (!existsSync(join(root, signIn))) generated(signIn, signInScopesSource([]));
const { registry } = await import('../../functions/registry.ts');
const lost = registry.filter(({ name }) => !existsSync(join(root, 'functions', name)));
if (lost.length > 0)
  refuse(
    lost.map(
      ({ name }) => `functions/registry.ts: '${name}' has no folder functions/${name}: rename one of them.`,
    ),
  );
const wrong = wrongFacts(registry);
if (wrong.length > 0) refuse(wrong);
generated(paths, pathsSource(registry));
generated('shared/pages/frame/navigation.generated.ts', navigationSource(registry));
generated('functions/related.generated.ts', relatedSource(registry));
generated('functions/authorizer/closed.generated.ts', scopesSource(registry));
generated(signIn, signInScopesSource(registry));
generated('functions/pre-traffic/probes.generated.ts', probesSource(registry));
generated('docs/openapi.json', openApiSource(registry));
if (process.argv.includes('--release')) {
  generated('docs/openapi.released.json', releasedSource(registry));
  generated('docs/stored.released.json', releasedStoredSource(registry));
}

for (const path of stale)
  console.log(check ? `${path} is out of date: run npm run generate` : `wrote ${path}`);
if (check && stale.length > 0) process.exitCode = 1;

import { output } from './command.ts';

/** Containers run as this machine does: nothing is emulated. */
export const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'x86_64';

/**
 * The image that SAM takes for the functions' runtime, and the one that it makes of it.
 *
 * Source: AWS SAM CLI 1.170.0, samcli/local/docker/lambda_image.py.
 */
export const IMAGE = `public.ecr.aws/lambda/nodejs:24-${ARCHITECTURE}`;
export const DERIVED_IMAGE = `public.ecr.aws/lambda/nodejs:24-rapid-${ARCHITECTURE}`;

/** The label of an image that was made here: what it was made of. */
export const RECIPE = 'resource-api.recipe';

/** An image that a registry gave. */
export const PULLED = 'pulled';

/** The recipe of the image on this machine; '' if it is unknown; PULLED; undefined if there is no image. */
export function recipeOfImage(): string | undefined {
  // A list is empty where `inspect` would fail.
  const id = output('docker', ['images', '--quiet', IMAGE], 'No Docker engine answers: start one').trim();
  if (id === '') return undefined;
  const recipe = `{{with .Config.Labels}}{{index . "${RECIPE}"}}{{end}}`;
  const format = `${recipe}|{{if .RepoDigests}}${PULLED}{{end}}`;
  const [made = '', pulled = ''] = output('docker', ['inspect', '--format', format, id], `${IMAGE} is gone`)
    .trim()
    .split('|');
  return made || pulled;
}

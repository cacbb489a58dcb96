import { html } from 'hono/html';
import { SCRIPT_DIGEST } from '#about';
import type { Place } from '../../shared/representations/representation.ts';
import type { Content, Markup } from '../markup.ts';
import { effect } from './effect.ts';
import { navigation } from './navigation.ts';
import { person } from './person.ts';

/**
 * Returns the frame of all pages: the collections, the breadcrumb, one main part with one heading, and the link to the
 * documentation.
 */
export const layout = (
  { title, heading, breadcrumbs, actions = [], body }: Content,
  place: Place,
): Markup => {
  const { basePath } = place;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${basePath}/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${basePath}/assets/pages.css">
<script src="${basePath}/assets/pages.js?v=${SCRIPT_DIGEST.slice(7, 15)}" integrity="${SCRIPT_DIGEST}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
${navigation(place)}
${person(place)}
${breadcrumbs.length > 0 && breadcrumb([['Home', basePath || '/'], ...breadcrumbs])}
</header>
<main id="main" tabindex="-1">
<div class="head"><h1>${heading ?? title}</h1>
${actions.some(Boolean) && html`<div class="actions">${actions.map((one) => one || '')}</div>`}</div>
${effect(place)}
${body}
</main>
<footer><p><a href="${basePath}/docs">API documentation</a></p></footer>
</body>
</html>
`;
};

const breadcrumb = (crumbs: Content['breadcrumbs']): Markup => html`<nav aria-label="Breadcrumb"><ol>
${crumbs.map(([name, address]) => html`<li><a href="${address}">${name}</a></li>`)}
</ol></nav>`;

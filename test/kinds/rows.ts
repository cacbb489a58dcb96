type Value = string | number | boolean | object;

/** A field of samples, and what holds for it on every path. */
interface Row {
  readonly field: string;
  /** A value as JSON, and as the text of formats without types. */
  readonly json: Value;
  readonly text: string;
  /** The text in XML and in a form, if it differs from `text`. */
  readonly xml?: string;
  readonly lines?: string;
  /** The value in representations, if it differs from the sent one. */
  readonly shown?: Value;
  /** The value on a page, and the value of an input. */
  readonly page?: string;
  readonly input?: string;
  /** A second value, which sorts after the first one. */
  readonly later: Value;
  /** Values that the service refuses, and why. */
  readonly refused: readonly (readonly [unknown, string])[];
  /** Values of filters: all of them select the item with `json`, and not the one with `later`. */
  readonly filters: readonly string[];
  /** Parameters that the service refuses. */
  readonly badFilters: readonly string[];
}

const DATE = 'must be a date such as 2026-11-22';
const TIME = 'must be a time with an offset, such as 2026-11-22T03:04:05Z';
const URL_FAULT = 'must be a URL such as https://example.org/';

/** One row for each field of samples. */
export const ROWS: readonly Row[] = [
  {
    field: 'name',
    json: 'Ada',
    text: 'Ada',
    later: 'Bob',
    refused: [
      ['A', 'must have at least 2 characters'],
      ['A'.repeat(21), 'must have at most 20 characters'],
      [7, 'must be a text'],
    ],
    filters: ['name=Ada', 'name.lt=B', 'name.prefix=A'],
    badFilters: [],
  },
  {
    field: 'code',
    json: 'AB1',
    text: 'AB1',
    later: 'CD2',
    refused: [
      ['AB', 'must match the pattern ^(?:[A-Z]{2}[0-9]+)$'],
      ['xAB1', 'must match the pattern ^(?:[A-Z]{2}[0-9]+)$'],
    ],
    filters: ['code=AB1', 'code.prefix=AB'],
    badFilters: [],
  },
  {
    field: 'size',
    json: 'large',
    text: 'large',
    input: '<option selected>large',
    later: 'small',
    refused: [['huge', 'must be one of small, large']],
    filters: ['size=large'],
    badFilters: ['size=huge'],
  },
  {
    field: 'email',
    json: 'ada@example.org',
    text: 'ada@example.org',
    later: 'bob@example.org',
    refused: [
      ['ada', 'must be an e-mail address'],
      [7, 'must be a text'],
    ],
    filters: ['email=ada@example.org'],
    badFilters: [],
  },
  {
    field: 'site',
    json: 'https://a.example/?b=1#c',
    text: 'https://a.example/?b=1#c',
    page: '<a href="https://a.example/?b=1#c" rel="external">',
    later: 'https://b.example/',
    refused: [
      ['javascript:alert(1)', URL_FAULT],
      ['https://a.example/ b', URL_FAULT],
      ['https://ada:secret@a.example/', URL_FAULT],
    ],
    filters: ['site.prefix=https://a.'],
    badFilters: [],
  },
  {
    field: 'count',
    json: 2,
    text: '2',
    later: 9,
    refused: [
      [0, 'must be at least 1'],
      [10, 'must be at most 9'],
      [2.5, 'must be a whole number'],
    ],
    filters: ['count=2', 'count.lt=3'],
    badFilters: ['count=x', 'count.prefix=2'],
  },
  {
    field: 'amount',
    json: 99.95,
    text: '99.95',
    later: 100.5,
    refused: [
      [-1, 'must be at least 0'],
      [1.005, 'must have at most 2 digits after the decimal point'],
      ['1.00', 'must be a number'],
    ],
    filters: ['amount=99.95', 'amount.lte=99.950'],
    badFilters: ['amount=much', 'amount.prefix=9'],
  },
  {
    field: 'due',
    json: '2026-02-28',
    text: '2026-02-28',
    page: '<time datetime="2026-02-28">2026-02-28</time>',
    later: '2026-11-22',
    refused: [
      ['2026-02-30', DATE],
      ['tomorrow!', DATE],
      ['2026-02-28T00:00:00Z', DATE],
      [20260228, 'must be a text'],
    ],
    filters: ['due=2026-02-28', 'due.gte=2026-02-28&due.lt=2026-03-01'],
    badFilters: ['due=soon', 'due.gte=2026-02-30', 'due.prefix=2026'],
  },
  {
    field: 'at',
    json: '2026-02-28T23:04:05.6789+01:00',
    shown: '2026-02-28T22:04:05.678Z',
    text: '2026-02-28T23:04:05.6789+01:00',
    page: '<time datetime="2026-02-28T22:04:05.678Z">',
    input: 'value="2026-02-28T22:04:05.678"',
    later: '2026-03-01T00:00:00Z',
    refused: [
      ['2026-02-28', TIME],
      ['2026-02-28T25:00:00Z', TIME],
      ['2026-02-28T00:00:00', TIME],
      [0, 'must be a text'],
    ],
    filters: [
      'at=2026-02-28T22:04:05.678Z',
      'at.lt=2026-03-01',
      'at.gte=2026-02-28T23:04:05%2B01:00&at.lt=2026-03-01',
    ],
    badFilters: ['at=now', 'at.prefix=2026'],
  },
  {
    field: 'paid',
    json: false,
    text: 'false',
    page: '<dd>no</dd>',
    input: '<option selected>no</option>',
    later: true,
    refused: [
      ['false', 'must be true or false'],
      [0, 'must be true or false'],
    ],
    filters: ['paid=false', 'paid=no'],
    badFilters: ['paid=maybe', 'paid.gte=false', 'paid.prefix=f'],
  },
  {
    field: 'tags',
    json: ['a', 'b & c'],
    text: '["a","b & c"]',
    xml: '<item>a</item><item>b &amp; c</item>',
    lines: 'a\r\nb & c',
    page: '<li>b &amp; c</li>',
    input: '>\na\nb &amp; c</textarea>',
    later: ['b'],
    refused: [
      ['a', 'must be an array'],
      [['a', 'b', 'c', 'd'], 'must have at most 3 items'],
    ],
    filters: [],
    badFilters: [],
  },
  {
    field: 'address',
    json: { city: 'Paris', since: '2026-02-28', rent: 1.5, own: true },
    text: '{"city":"Paris","since":"2026-02-28","rent":1.5,"own":true}',
    xml: '<city>Paris</city><since>2026-02-28</since><rent>1.5</rent><own>true</own>',
    lines: 'city: Paris\r\nsince: 2026-02-28\r\nrent: 1.5\r\nown: yes',
    page: '<dt>Rent</dt><dd>1.5',
    input: '>\ncity: Paris\nsince: 2026-02-28\nrent: 1.5\nown: true</textarea>',
    later: { city: 'Rome', unknown: 1, rent: null },
    refused: [
      ['Paris', 'must be an object'],
      [['Paris'], 'must be an object'],
    ],
    filters: [],
    badFilters: [],
  },
];

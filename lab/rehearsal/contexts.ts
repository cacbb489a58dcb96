/** The context of a synthesis, as in `cdk synth -c name=value`. */
export type Context = Readonly<Record<string, string>>;

const HOST = {
  domainName: 'api.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-4000-8000-000000000000',
};

/** The contexts of the checked templates. Each option that adds or removes resources is in one of them. */
export const CONTEXTS: ReadonlyMap<string, Context> = new Map<string, Context>([
  ['defaults', {}],
  [
    'own host, zone and issuer',
    {
      ...HOST,
      hostedZoneId: 'Z0123456789ABCDEFGHIJ',
      basePath: '/api',
      issuer: 'https://issuer.example.com/tenant',
      audience: 'urn:resource-api',
      jwksUri: 'https://issuer.example.com/keys',
      scopePrefix: 'api/',
    },
  ],
  [
    'open, data destroyed, firewall, traces, budget, all at once',
    {
      auth: 'none',
      data: 'destroy',
      waf: 'block',
      tracing: 'true',
      alarmEmail: 'ops@example.com',
      ticketEmail: 'team@example.com',
      monthlyBudget: '50',
      deployment: 'all-at-once',
      eventArchiveDays: '30',
    },
  ],
  [
    'edge with firewall, account and region',
    { edge: 'true', waf: 'count', account: '123456789012', region: 'eu-central-1' },
  ],
  ['environment and pipeline', { env: 'production', repository: 'acme/shop' }],
]);

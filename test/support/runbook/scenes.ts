/**
 * How to run the commands of a section of a page for operators on an emulator. `values`: what replaces
 * names and examples in the commands. `before` and `after`: bash around the commands; `after` fails if they did not do
 * their work.
 */
export interface Scene {
  readonly values?: Readonly<Record<string, string>>;
  readonly before?: string;
  readonly after?: string;
}

/** The section whose commands test/data/recovery/drill.test.ts runs on `npm start`. */
export const DRILL = 'Practise a loss';

/** Commands that run nowhere else, each with the reason. */
export const NOT_RUN: readonly (readonly [commands: RegExp, reason: string])[] = [
  [/^npx cdk /, 'lab/rehearsal runs the CLI of CDK with other options, because moto has no change sets'],
  [/^npx resource-api /, 'lab/package runs it in a service of the package'],
  [/^git switch /, 'the former commit is a choice of the operator'],
  [/^npm (?:ci$|cit$|run lab -- sam )/, 'CI runs it'],
  [/^npm test -- /, 'it is a part of npm test'],
  [/^npm start -- /, 'many tests start the service with these options'],
  [/^npm run tool -- smoke /, 'test/smoke runs it'],
  [/^npm run tool -- trace /, 'test/infra runs it'],
  [/^npm run data -- subscriptions /, 'test/rights runs it on npm start'],
  [/^npm run data -- undo /, 'test/rights runs it on npm start'],
  [
    /^npm run data -- bucket /,
    'moto gives the bucket of its stack little to copy; test/data/recovery has a double of S3',
  ],
  [/^npm run data -- export DIRECTORY$/, 'the drill exports the data of npm start'],
  [/"\$TOKEN_ENDPOINT"/, 'moto has no token endpoint'],
  [/-message-move-task/, 'moto has no tasks that move messages'],
  [/^aws apigateway flush-stage-authorizers-cache /, 'moto runs no authorizer'],
  [/^aws lambda put-provisioned-concurrency-config /, 'moto starts a process for each invocation'],
  [/^aws cloudformation update-termination-protection /, 'moto protects no stack'],
  [
    /^aws backup (?:update-region-settings|create-backup-selection|list-recovery-points-by-backup-vault|start-restore-job) /,
    'moto has vaults and plans, and copies nothing',
  ],
];

/** Sets TABLE to the table of a resource. Restored tables come after it. */
const tableOf = (resource: string): string =>
  `TABLE=$(aws dynamodb list-tables --output text --query "TableNames[?contains(@, 'tables${resource}')] | [0]")`;

const USER_POOL = `POOL=$(aws cognito-idp create-user-pool --pool-name people --query UserPool.Id --output text)`;

/**
 * The scenes in the order of the run. The shell has the outputs of the stack by their names, URL (a service that takes
 * requests), FUNCTION (the function of members) and CUSTOMER (the identifier of a stored customer).
 */
export const SCENES: Readonly<Record<string, Scene>> = {
  'Export and import': {
    values: { DIRECTORY: 'backup --environment worker.json' },
    before: `printf '[profile production]\\nregion=us-east-1\\naws_access_key_id=a\\naws_secret_access_key=b\\n' > "$AWS_CONFIG_FILE"`,
    after: 'test -s backup/members.jsonl -a -s backup/customers.jsonl',
  },
  'The first minute': { values: { NAME: 'new-code' } },
  'Where to look': { values: { F: '$FUNCTION' } },
  'Find the caller of a write': { values: { SUBJECT: 'ada' } },
  'dead-events': {
    values: { orders: 'customers' },
    before: `export AUDIT_KEY=key
ARN=$(aws events create-event-bus --name "$EventBus" --query EventBusArn --output text)
aws events create-archive --archive-name all --event-source-arn "$ARN"`,
    after: `test "$(aws events describe-archive --archive-name all --query EventCount)" -gt 0`,
  },
  'comparison-stopped': {},
  'dead-uploads': {},
  'dead-changes': {
    before: `${tableOf('gadgets')}
STREAM=$(aws dynamodb describe-table --table-name "$TABLE" --query Table.LatestStreamArn --output text)
SHARD=$(aws dynamodbstreams describe-stream --stream-arn "$STREAM" --query StreamDescription.Shards[0].ShardId \\
  --output text)
ITERATOR=$(aws dynamodbstreams get-shard-iterator --stream-arn "$STREAM" --shard-id "$SHARD" --output text \\
  --shard-iterator-type TRIM_HORIZON)
NUMBER=$(aws dynamodbstreams get-records --shard-iterator "$ITERATOR" --output text \\
  --query Records[-1].dynamodb.SequenceNumber)
CHANGES=$(aws lambda list-functions --output text --query "Functions[?contains(FunctionName, 'gadgetschanges')].FunctionArn")
jq -n --arg function "$CHANGES" --arg stream "$STREAM" --arg shard "$SHARD" --arg number "$NUMBER" \\
  '{requestContext: {functionArn: $function}, DDBStreamBatchInfo: {streamArn: $stream, shardId: $shard,
    startSequenceNumber: $number, endSequenceNumber: $number}}' > sent.json
aws sqs send-message --queue-url "$DeadChanges" --message-body file://sent.json`,
    // Only version 2 of the CLI has the option, and needs it.
    values: { '--cli-binary-format raw-in-base64-out': '' },
    after: `test "$(jq '.Records | length' change.json)" = 1
test "$(jq -c . answer.json)" = '{"batchItemFailures":[]}'`,
  },
  Levers: {
    values: { F: '$FUNCTION', T: '$TABLE', UUID: '$MAPPING', PLAN: '$PLAN', '41': '1' },
    before: `${tableOf('members')}
MAPPING=$(aws lambda list-event-source-mappings --function-name "$Worker" --query EventSourceMappings[0].UUID \\
  --output text)
STREAM=$(aws dynamodb describe-table --table-name "$TABLE" --query Table.LatestStreamArn --output text)
MADE=$(aws apigateway create-rest-api --name resource-api --query id --output text)
ROOT=$(aws apigateway get-resources --rest-api-id "$MADE" --query items[0].id --output text)
aws apigateway put-method --rest-api-id "$MADE" --resource-id "$ROOT" --http-method GET --authorization-type NONE
aws apigateway put-integration --rest-api-id "$MADE" --resource-id "$ROOT" --http-method GET --type MOCK
aws apigateway create-deployment --rest-api-id "$MADE" --stage-name v1
PLAN=$(aws apigateway create-usage-plan --name plan --throttle rateLimit=1,burstLimit=2 --query id --output text)
aws logs create-log-group --log-group-name aws-waf-logs-resource-api`,
    after: `test "$(aws apigateway get-stage --rest-api-id "$API" --stage-name v1 --output text \\
  --query 'methodSettings."*/*".[throttlingRateLimit,throttlingBurstLimit]')" = "$(printf '50.0\\t100')"
test "$(aws apigateway get-usage-plan --usage-plan-id "$PLAN" --query throttle.burstLimit)" = 20
aws lambda update-event-source-mapping --uuid "$MAPPING" --no-enabled
aws lambda update-event-source-mapping --uuid "$MAPPING" --enabled`,
  },
  'A token in wrong hands': {
    values: { SUBJECT: 'ada' },
    before: 'WORKER=$Worker',
    after: `test "$(aws dynamodb get-item --table-name "$TABLE" --key '{"key":{"S":"denied subjects"}}' --output text \\
  --query Item.subjects.SS)" = ada`,
  },
  'Dead letters': {
    before: `aws sqs send-message --queue-url "$DeadUploads" --message-body first
HANDLE=$(aws sqs receive-message --queue-url "$DeadUploads" --query Messages[0].ReceiptHandle --output text)
aws sqs send-message --queue-url "$DeadUploads" --message-body second`,
    after: `test "$(aws sqs get-queue-attributes --queue-url "$QUEUE" --attribute-names All --output text \\
  --query Attributes.[ApproximateNumberOfMessages,ApproximateNumberOfMessagesNotVisible])" = "$(printf '0\\t0')"`,
  },
  'Erase a person': {
    values: { DIRECTORY: 'erased --environment worker.json', '115307352254777': '$OTHER_CUSTOMER' },
    after: `npm run data -- erase erased customers "$OTHER_CUSTOMER" --environment worker.json --confirm
npm run data -- export erased-after customers --environment worker.json
grep -q "$CUSTOMER" erased-after/customers.jsonl && ! grep -q "$OTHER_CUSTOMER" erased-after/customers.jsonl`,
  },
  'Remove old versions of functions': {
    values: { F: '$FUNCTION' },
    after: `test "$(aws lambda list-versions-by-function --function-name "$FUNCTION" --query 'length(Versions)')" -le 4`,
  },
  'Roll a deployment back': {
    after: `${tableOf('members')}
OLD=$(echo "$TABLE" | sed 's/tablesmembers.*/tablesparcels01234567-OLD/')
aws dynamodb create-table --table-name "$OLD" --attribute-definitions AttributeName=id,AttributeType=N \\
  --key-schema AttributeName=id,KeyType=HASH --billing-mode PAY_PER_REQUEST
! npm run data -- retained --environment worker.json > retained.txt
grep -q "adoptedTables=parcels=arn:aws:dynamodb:.*$OLD" retained.txt
aws dynamodb delete-table --table-name "$OLD"`,
  },
  'Recover in this region': {
    values: { '2026-11-21T09:00:00Z': '$(date -u +%Y-%m-%dT%H:%M:%SZ)' },
    // moto restores the present state, so the loss comes after the restoration.
    after: `${tableOf('customers')}
aws dynamodb delete-item --table-name "$TABLE" --key "{\\"id\\":{\\"N\\":\\"$CUSTOMER\\"}}"
npm run data -- import before customers --environment worker.json --replace
aws dynamodb get-item --table-name "$TABLE" --key "{\\"id\\":{\\"N\\":\\"$CUSTOMER\\"}}" | grep -q "$CUSTOMER"`,
  },
  'Copies in another account or region': {
    // moto's CloudFormation turns on no versions of a bucket.
    before: `ROLE=arn:aws:iam::123456789012:role/replication
aws s3api put-bucket-versioning --versioning-configuration Status=Enabled --bucket "$(aws s3api list-buckets \\
  --output text --query "Buckets[?starts_with(Name, 'resource-api-objects')].Name | [0]")"`,
    after: `test "$(aws backup list-backup-plans --query 'length(BackupPlansList)')" = 1
test "$(aws s3api get-bucket-replication --bucket "$BUCKET" --query ReplicationConfiguration.Rules[0].Status \\
  --output text)" = Enabled`,
  },
  'From nothing to the first request': {
    before: `${USER_POOL}
CLIENT_ID=$(aws cognito-idp create-user-pool-client --user-pool-id "$POOL" --client-name first --generate-secret \\
  --query UserPoolClient.ClientId --output text)
TOKEN=none
for ALARM in throttled-functions late-operations; do
  aws cloudwatch put-metric-alarm --alarm-name resource-api-$ALARM --namespace AWS/SQS --metric-name Age \\
    --statistic Maximum --period 60 --evaluation-periods 1 --threshold 1 \\
    --comparison-operator GreaterThanThreshold
done`,
    after: `test "$(aws cloudwatch describe-alarms --state-value ALARM --query 'length(MetricAlarms)')" = 2
test -n "$SECRET"`,
  },
  'Who may call': { before: USER_POOL },
  'Add a person and see the first page': { before: USER_POOL },
  Events: { before: 'EVENT_BUS=$EventBus' },
  'A pipeline': {},
  'Change a deployment': {
    values: { SUBJECT: 'ada' },
    after: 'npm run data -- state members --environment worker.json',
  },
};

/** A command with the values of its scene in place of names and examples. */
export const withValues = (text: string, { values = {} }: Scene): string =>
  Object.entries(values).reduce((changed, [name, value]) => {
    const word = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return changed.replace(new RegExp(`(?<![\\w$.])${word}(?![\\w=])`, 'g'), () => value);
  }, text);

// Package deploytest deploys the stack to MiniStack, an emulator of AWS, and checks it from the
// outside. Its tests have the build tag deploy; `make test-deploy` runs them.
//
// The emulator is one process on 127.0.0.1. It speaks TLS with a certificate that the tests create,
// checks every call's signature, and refuses calls that the caller's policies do not allow. The
// functions run as the binaries that ship.
//
// In these points the emulator deviates from AWS. The tests work around them; the product does not:
//
//   - A call has no dynamodb:LeadingKeys. It has dynamodb:Attributes only for the top-level
//     ProjectionExpression and AttributesToGet, and not for keys, items, conditions, updates,
//     batches or transactions. A condition with ForAllValues holds for an absent key, so the
//     emulator allows every key and every update: replaying the recorded calls here would prove
//     nothing about them. Package rights evaluates these conditions instead (infra/stack).
//   - AWS::Cognito::UserPool has no attribute ProviderURL, which CloudFormation documents.
//     testdata/emulator.py adds it.
//   - CloudFormation does not support AWS::Budgets::Budget, although the service exists.
//     testdata/emulator.py creates the budget through the service.
//   - CloudFormation refuses an alarm on an expression, and CloudWatch evaluates none.
//     testdata/emulator.py creates the alarm, and the tests raise it by set-alarm-state. A test of
//     the stack's package evaluates the expression.
//   - An alarm is evaluated only when data comes, for any dimensions. The tests raise the alarm for
//     missing data by set-alarm-state.
//   - CloudWatch publishes to a topic without checking the topic's policy. testdata/emulator.py
//     checks it, as the emulator itself does for other services.
//   - Under TLS the JWT authorizer fetches Cognito's keys over plain HTTP. testdata/emulator.py
//     makes it use TLS.
//   - The JWT authorizer caches an issuer's keys for two hours, as in AWS. testdata/emulator.py
//     makes it fetch them for each request, so that a test can rotate them.
//   - SQS authorizes a batch by its own name, such as SendMessageBatch, which no policy of AWS
//     has. testdata/emulator.py authorizes it as SendMessage.
//   - CloudFormation does not support AWS::ApiGatewayV2::RouteResponse, and a WebSocket API selects
//     no subprotocol and answers every message. testdata/emulator.py creates the responses, and
//     answers and selects as the routes say.
//   - CloudFormation stores an API's CORS configuration under names that the API does not read.
//     testdata/emulator.py renames them.
//   - CloudFormation takes an empty list parameter for one of an empty text, so that the role for
//     deployments has a policy without a name after a bootstrap. The doctor's test names a policy.
//   - It has no plan of the account and no Service Quotas. The doctor cannot read these.
//   - CloudFront caches and compresses nothing. The headers of the files and the distribution's
//     settings are checked, and not what follows from them.
//   - A WebSocket API answers 500 to an authorizer that fails with "Unauthorized", not 401. The
//     tests accept any refusal.
//   - No resolver here knows the address of the connections. The tests give the functions another
//     path to it.
//   - Under TLS it listens on port 443 too. testdata/emulator.py limits it to one port.
//   - API addresses name the emulator's port, and hosts of AWS that no resolver here knows.
//     Commands reach them through a proxy of the tests, and the tests' own client connects to
//     127.0.0.1.
//   - The AWS CLI, version 1, ignores AWS_ENDPOINT_URL for SQS. A wrapper passes --endpoint-url.
//   - The functions run on this machine. On an x86 machine, the user's CDK settings (~/.cdk.json)
//     state arch=x86_64.
//   - A restore to a point in time copies the current items of the table, and a deleted table
//     leaves no backup. The restore drill creates a backup where AWS would have one.
//   - The tests have no terminal for confirmations. The same settings contain "requireApproval":
//     "never", and a wrapper of npx adds --force to cdk destroy.
package deploytest

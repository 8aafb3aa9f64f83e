// Package deploytest deploys the stack to MiniStack, an emulator of AWS, and checks what runs there
// from the outside. Its tests have the build tag deploy; `make test-deploy` runs them.
//
// The emulator is one process on 127.0.0.1. It speaks TLS with a certificate that the tests make,
// checks every call's signature, and refuses what the caller's policies do not allow. The functions
// run as the binaries that ship.
//
// Where the emulator deviates from AWS, the tests work around it and the product does not:
//
//   - AWS::Cognito::UserPool has no attribute ProviderURL, which CloudFormation documents.
//     testdata/emulator.py adds it.
//   - CloudFormation knows no AWS::Budgets::Budget, though the service is there. testdata/emulator.py
//     makes the one out of the other.
//   - CloudFormation takes no alarm on an expression, and CloudWatch evaluates none. testdata/emulator.py
//     makes the alarm, the tests raise it by set-alarm-state, and a test of the stack's package
//     evaluates the expression.
//   - An alarm is evaluated when data comes and never for the lack of it, and whatever the dimensions
//     are. The alarm for silence is raised by set-alarm-state.
//   - CloudWatch publishes to a topic whatever the topic's policy says. testdata/emulator.py asks the
//     policy first, as the emulator itself does for other services.
//   - Under TLS the JWT authorizer asks for Cognito's keys over plain HTTP. testdata/emulator.py
//     makes it use TLS.
//   - Under TLS it listens on port 443 too. testdata/emulator.py keeps it to one port.
//   - API addresses name the emulator's port, and hosts of AWS that no resolver here knows. Commands
//     reach them through a proxy of the tests, and the tests' own client connects to 127.0.0.1.
//   - The AWS CLI, version 1, calls SQS under a name of its own, whatever AWS_ENDPOINT_URL says. A
//     wrapper passes --endpoint-url.
//   - The functions run on this machine, so the user's own CDK settings (~/.cdk.json) ask for
//     arch=x86_64 on such a machine.
//   - A restore to a point in time copies the items that the table has now, and a deleted table leaves
//     no backup. The restore drill makes a backup where AWS would have one.
//   - Nobody sits at a terminal. The same settings say "requireApproval": "never", and a wrapper of
//     npx adds --force to cdk destroy.
package deploytest

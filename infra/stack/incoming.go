package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/table"
)

// botKeys matches the partitions of webhooks' bots, and incomingKeys the partitions of webhooks.
var (
	botKeys      = table.BotPK("*")
	incomingKeys = table.IncomingPrefix + "*"
)

// incomingFunction describes the function behind the public route of incoming webhooks. It reads a
// webhook, its bot's account, its room and the messages that a key may stand for, and puts
// messages. It writes how much a bot has posted, and nothing of people. It cannot query messages.
func incomingFunction(cfg config.Config, t tables, files awss3.IBucket) function {
	return inBucket(files, limited(cfg, function{
		name: "incoming", id: "Incoming", description: "Posts messages of programs by incoming webhooks",
		size: cfg.Incoming, timeout: functionTimeout, variables: apiVariables(cfg, t),
		endpoints: []string{shared.EnvDynamoDBEndpoint}, subject: aFunction,
		grants: []grant{
			{
				sid: "ReadWebhooks", resource: t.chat.TableArn(), keys: onlyKeys(incomingKeys, botKeys),
				actions: []string{"dynamodb:GetItem"},
			},
			{
				sid: "ReadRooms", resource: t.chat.TableArn(), keys: onlyKeys(roomKeys),
				actions: []string{"dynamodb:GetItem", "dynamodb:Query"},
			},
			{
				sid: "PutMessages", resource: t.chat.TableArn(), keys: notKeys(separated),
				actions: []string{"dynamodb:BatchGetItem", "dynamodb:PutItem"},
			},
			{
				sid: "SpendMessages", resource: t.chat.TableArn(), keys: onlyKeys(botKeys),
				actions: []string{"dynamodb:UpdateItem"},
			},
		},
	}))
}

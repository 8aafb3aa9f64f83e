package stack

import (
	"strconv"
	"strings"

	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/table"
)

// authorizerTimeout, in seconds, covers a cold start and a fetch of the issuer's keys.
const authorizerTimeout = 10

// socketFunction describes the function behind the routes of the WebSocket API. Of people it may
// read their rooms, whom they have blocked and whether they are suspended. It may not read
// profiles, moderators' reasons or saved messages.
func socketFunction(cfg config.Config, t tables, s sockets, u users) function {
	return function{
		name: "socket", id: "Socket", description: "Subscribes connections to rooms", size: cfg.Socket,
		timeout: functionTimeout, endpoints: []string{shared.EnvDynamoDBEndpoint}, subject: aFunction,
		variables: map[string]*string{
			shared.EnvTable:          t.chat.TableName(),
			shared.EnvLiveTable:      t.live.TableName(),
			shared.EnvSocketEndpoint: s.endpoint(),
			shared.EnvIssuer:         u.issuer,
			shared.EnvAudience:       jsii.String(join(*u.audience)),
			shared.EnvUserClaim:      jsii.String(cfg.Tokens.UserClaim),
			shared.EnvTokenLife:      tokenLife(cfg.Tokens),
			shared.EnvPostRate:       jsii.String(strconv.Itoa(cfg.API.PostRate)),
			shared.EnvSendRate:       jsii.String(strconv.Itoa(cfg.API.SendRate)),
			shared.EnvLogLevel:       jsii.String(cfg.Logs.Level),
		},
		grants: []grant{
			{
				sid: "ReadMemberships", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
				attributes: table.MembershipAttributes(), actions: []string{"dynamodb:GetItem", "dynamodb:Query"},
			},
			{
				sid: "ReadMarkers", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
				attributes: table.MarkerAttributes(), actions: []string{"dynamodb:Query"},
			},
			{
				sid: "ReadSuspensions", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
				attributes: table.SuspensionAttributes(), actions: []string{"dynamodb:GetItem"},
			},
			{
				sid: "ReadBlocks", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
				attributes: table.BlockAttributes(), actions: []string{"dynamodb:BatchGetItem", "dynamodb:GetItem"},
			},
			{
				sid: "ReadRooms", resource: t.chat.TableArn(), keys: onlyKeys(roomKeys),
				actions: []string{"dynamodb:Query"},
			},
			{
				sid: "ReadHeads", resource: t.chat.TableArn(), keys: onlyKeys(feedKeys),
				actions: []string{"dynamodb:BatchGetItem", "dynamodb:GetItem"},
			},
			{
				sid: "KeepConnections", resource: t.live.TableArn(),
				actions: []string{
					"dynamodb:BatchGetItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:Query",
					"dynamodb:UpdateItem",
				},
			},
			{sid: "SendFrames", resource: s.posts, actions: []string{"execute-api:ManageConnections"}},
			{sid: "EndConnections", resource: s.closes, actions: []string{"execute-api:ManageConnections"}},
		},
	}
}

// authorizerFunction describes the function that verifies the tokens of new connections. It has no
// right on any table.
func authorizerFunction(cfg config.Config, u users, origins []string) function {
	return function{
		name: "authorizer", id: "Authorizer", description: "Verifies the tokens of new connections",
		size:    cfg.Authorizer,
		timeout: authorizerTimeout, subject: aFunction,
		variables: map[string]*string{
			shared.EnvIssuer:    u.issuer,
			shared.EnvAudience:  jsii.String(join(*u.audience)),
			shared.EnvUserClaim: jsii.String(cfg.Tokens.UserClaim),
			shared.EnvTokenLife: tokenLife(cfg.Tokens),
			shared.EnvOrigins:   jsii.String(strings.Join(origins, ",")),
			shared.EnvLogLevel:  jsii.String(cfg.Logs.Level),
		},
	}
}

// join returns texts separated by commas. They may contain references.
func join(texts []*string) string {
	all := make([]string, len(texts))
	for n, text := range texts {
		all[n] = *text
	}
	return strings.Join(all, ",")
}

package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2authorizers"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"
)

const (
	// tokenMinutes is the lifetime of an access token, and so the time for which a removed user
	// keeps access.
	tokenMinutes = 60
	// refreshDays is the time for which a client stays signed in without a password.
	refreshDays = 30
	// passwordLength exceeds the minimum of the nag rules (8).
	passwordLength = 12
	// invitationDays is the lifetime of a first password set by an admin.
	invitationDays = 7
)

// tokensAuthorizer is the id of the authorizer below the API.
const tokensAuthorizer = "Tokens"

// users describes the users whose tokens are accepted. With another issuer, they are not in a pool
// of the stack.
type users struct {
	issuer   *string
	audience *[]*string
	pool     awscognito.UserPool       // nil with another issuer
	client   awscognito.UserPoolClient // nil with another issuer
	// published is what the authorizer waits for, or nil: the documents of an issuer in the stack.
	published awscdk.CfnResource
}

// users creates the user pool or publishes the app's keys, unless the tokens come from another
// issuer.
func (b *builder) users(s *site, p *page, writer awslambda.IFunction) users {
	switch {
	case b.Config.Tokens.OwnPool():
		return b.userPool(p)
	case b.Config.Tokens.OwnKeys():
		return b.keys(s, writer)
	}
	return users{issuer: jsii.String(b.Config.Tokens.Issuer), audience: jsii.Strings(b.Config.Tokens.Audience...)}
}

// authorizer checks tokens before a function is called: signature, issuer, audience (or Cognito's
// client_id) and times. It accepts RSA keys only, and costs nothing. API Gateway fetches the
// issuer's discovery document when it creates the authorizer: see settle.
func (b *builder) authorizer(u users) awsapigatewayv2.IHttpRouteAuthorizer {
	return awsapigatewayv2authorizers.NewHttpJwtAuthorizer(jsii.String(tokensAuthorizer), u.issuer,
		&awsapigatewayv2authorizers.HttpJwtAuthorizerProps{
			AuthorizerName: jsii.String(tokensAuthorizer),
			JwtAudience:    u.audience,
			IdentitySource: jsii.Strings("$request.header.Authorization"),
		})
}

// userPool creates a user pool for teams without an identity provider. The first 10,000 users
// active in a month are free, and an empty pool is free.
//
// Aliases, required attributes and case are the pool's identity: Cognito does not change them
// later, and a new pool would lock everyone out. So no setting changes them.
func (b *builder) userPool(p *page) users {
	pool := awscognito.NewUserPool(b.scope, jsii.String("UserPool"), &awscognito.UserPoolProps{
		// The cheapest plan has all the features that the stack uses: passwords and
		// one-time codes.
		FeaturePlan:         awscognito.FeaturePlan_LITE,
		SelfSignUpEnabled:   jsii.Bool(b.Config.Pool.SelfSignUp),
		SignInCaseSensitive: jsii.Bool(false),
		// Users with a confirmed address sign in with it, or with the user name.
		SignInAliases: &awscognito.SignInAliases{Username: jsii.Bool(true), Email: jsii.Bool(true)},
		// An admin may leave the address out; people who sign up themselves may not.
		StandardAttributes: &awscognito.StandardAttributes{
			Email: &awscognito.StandardAttribute{Required: jsii.Bool(true), Mutable: jsii.Bool(true)},
		},
		AutoVerify: &awscognito.AutoVerifiedAttrs{Email: jsii.Bool(true)},
		// A mistyped new address must not lock its owner out.
		KeepOriginal: &awscognito.KeepOriginalAttrs{Email: jsii.Bool(true)},
		// Users without a confirmed address ask an admin.
		AccountRecovery: awscognito.AccountRecovery_EMAIL_ONLY,
		EnableSmsRole:   jsii.Bool(false),
		Mfa:             awscognito.Mfa_OPTIONAL,
		MfaSecondFactor: &awscognito.MfaSecondFactor{Otp: jsii.Bool(true), Sms: jsii.Bool(false)},
		PasswordPolicy: &awscognito.PasswordPolicy{
			MinLength:        jsii.Number(passwordLength),
			RequireDigits:    jsii.Bool(true),
			RequireLowercase: jsii.Bool(true),
			RequireUppercase: jsii.Bool(true),
			RequireSymbols:   jsii.Bool(true),

			TempPasswordValidity: awscdk.Duration_Days(jsii.Number(invitationDays)),
		},
		DeletionProtection: jsii.Bool(b.Config.Table.DeletionProtection),
		RemovalPolicy:      b.removal(),
	})
	fixID(pool, "UserPool")
	except(pool, aUserPool)
	client := b.poolClient(pool, p)
	b.signInPages(pool)
	audience := []*string{client.UserPoolClientId()}
	if b.Config.Pool.Pages.ServiceClient {
		audience = append(audience, b.serviceClient(pool).UserPoolClientId())
	}
	b.output("UserPoolId", pool.UserPoolId(), "The pool in which users are created")
	b.output("UserPoolClientId", client.UserPoolClientId(), "The client for which tokens are issued")
	return users{issuer: pool.UserPoolProviderUrl(), audience: &audience, pool: pool, client: client}
}

// poolClient creates a client without a secret, because chat clients are public programs. They sign
// in by SRP, which sends no password, or on Cognito's pages. An admin with rights on the pool may
// send a password for a user.
func (b *builder) poolClient(pool awscognito.UserPool, p *page) awscognito.UserPoolClient {
	client := pool.AddClient(jsii.String("Client"), &awscognito.UserPoolClientOptions{
		AuthFlows: &awscognito.AuthFlow{
			UserPassword: jsii.Bool(b.Config.Pool.Passwords), UserSrp: jsii.Bool(true),
			AdminUserPassword: jsii.Bool(true),
		},
		DisableOAuth:               jsii.Bool(b.Config.Pool.Pages.Prefix == ""),
		OAuth:                      b.pagesOAuth(p),
		GenerateSecret:             jsii.Bool(false),
		PreventUserExistenceErrors: jsii.Bool(true),
		EnableTokenRevocation:      jsii.Bool(true),
		AccessTokenValidity:        awscdk.Duration_Minutes(jsii.Number(tokenMinutes)),
		IdTokenValidity:            awscdk.Duration_Minutes(jsii.Number(tokenMinutes)),
		RefreshTokenValidity:       awscdk.Duration_Days(jsii.Number(refreshDays)),
	})
	// A pool that is retained is useful only with the client that the apps name.
	client.ApplyRemovalPolicy(b.removal())
	fixID(client, "UserPoolClient")
	return client
}

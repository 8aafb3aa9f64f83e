package stack

import (
	"fmt"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2authorizers"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	shared "example.com/parley/internal/config"
	"example.com/parley/internal/publickey"
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

// signInPages creates Cognito's own pages, if they are configured. They cost nothing. They are
// removed with the stack: the next stack can use their address, and the users are in the pool.
func (b *builder) signInPages(pool awscognito.UserPool) {
	prefix := b.Config.Pool.Pages.Prefix
	if prefix == "" {
		return
	}
	domain := pool.AddDomain(jsii.String("SignInPages"), &awscognito.UserPoolDomainOptions{
		CognitoDomain: &awscognito.CognitoDomainOptions{DomainPrefix: jsii.String(prefix)},
	})
	fixID(domain, "SignInPages")
	b.output("SignInUrl", domain.BaseUrl(nil), "The pages on which users sign in, at /oauth2/authorize")
}

// pagesOAuth lets the pages issue a code, which an app exchanges for tokens. A token in an address
// (the implicit grant) would remain in the browser's history.
func (b *builder) pagesOAuth(p *page) *awscognito.OAuthSettings {
	pages := b.Config.Pool.Pages
	if pages.Prefix == "" {
		return nil
	}
	return &awscognito.OAuthSettings{
		Flows: &awscognito.OAuthFlows{AuthorizationCodeGrant: jsii.Bool(true)},
		Scopes: &[]awscognito.OAuthScope{
			awscognito.OAuthScope_OPENID(), awscognito.OAuthScope_EMAIL(), awscognito.OAuthScope_PROFILE(),
		},
		CallbackUrls: pageAddresses(p, pages.Callbacks),
		LogoutUrls:   pageAddresses(p, pages.Logouts),
	}
}

// serviceClient creates a client for services, which act for users. It has a secret, exchanges it
// for tokens with the only scope, and signs in no user.
func (b *builder) serviceClient(pool awscognito.UserPool) awscognito.UserPoolClient {
	scope := awscognito.NewResourceServerScope(&awscognito.ResourceServerScopeProps{
		ScopeName:        jsii.String(strings.TrimPrefix(shared.ServiceScope, shared.ServiceResource+"/")),
		ScopeDescription: jsii.String("Act for any user"),
	})
	server := pool.AddResourceServer(jsii.String("Services"), &awscognito.UserPoolResourceServerOptions{
		Identifier: jsii.String(shared.ServiceResource), Scopes: &[]awscognito.ResourceServerScope{scope},
	})
	fixID(server, "Services")
	client := pool.AddClient(jsii.String("ServiceClient"), &awscognito.UserPoolClientOptions{
		AuthFlows: &awscognito.AuthFlow{UserSrp: jsii.Bool(false)}, // otherwise Cognito allows SRP
		OAuth: &awscognito.OAuthSettings{
			Flows:  &awscognito.OAuthFlows{ClientCredentials: jsii.Bool(true)},
			Scopes: &[]awscognito.OAuthScope{awscognito.OAuthScope_ResourceServer(server, scope)},
		},
		GenerateSecret:             jsii.Bool(true),
		PreventUserExistenceErrors: jsii.Bool(true),
		EnableTokenRevocation:      jsii.Bool(true),
		AccessTokenValidity:        awscdk.Duration_Minutes(jsii.Number(tokenMinutes)),
	})
	// A client that is switched off must not remain: it is billed, and its secret is valid.
	client.ApplyRemovalPolicy(awscdk.RemovalPolicy_DESTROY)
	fixID(client, "ServiceClient")
	b.output(
		"ServiceClientId", client.UserPoolClientId(),
		"The client with which services fetch tokens, at /oauth2/token of the sign-in pages",
	)
	return client
}

// keys publishes the keys of tokens that the app's own server signs, and returns whose tokens are
// accepted.
//
// API Gateway fetches both documents when it creates the authorizer, and fails without them. So the
// authorizer waits for them, and they wait for the policy that lets CloudFront read the bucket. The
// function that writes them succeeds once CloudFront answers both.
// CloudFormation removes all of them in the opposite order.
func (b *builder) keys(s *site, writer awslambda.IFunction) users {
	issuer := s.address()
	files := b.written("IssuerFiles", writer, map[string]any{"Documents": b.documents(issuer), "Address": issuer})
	files.Node().AddDependency(s.bucket.Policy())
	b.output("Issuer", jsii.String(issuer), "The iss of the tokens that the app signs")
	return users{
		issuer: jsii.String(issuer), audience: jsii.Strings(b.Config.Tokens.Audience...),
		published: files.Node().DefaultChild().(awscdk.CfnResource),
	}
}

// documents returns the documents of an issuer by the names of their files.
func (b *builder) documents(issuer string) map[string]string {
	keys, problems := b.Config.Tokens.PublicKeys()
	if len(problems) > 0 {
		panic(fmt.Errorf("the keys were not checked: %w", problems[0]))
	}
	set, err := publickey.Set(keys)
	if err != nil {
		panic(err) // texts can always be encoded
	}
	discovery, err := publickey.Discovery(issuer)
	if err != nil {
		panic(err)
	}
	return map[string]string{fileAt(publickey.SetPath): string(set), fileAt(publickey.DiscoveryPath): string(discovery)}
}

// fileAt returns the name of the file at a path.
func fileAt(path string) string { return strings.TrimPrefix(path, "/") }

// userClaim refuses a deploy in which another claim becomes the user, unless the operator says so
// twice: in the settings, and for this deploy. With another claim, everybody is another user.
//
// CloudFormation remembers a parameter's value, and the CDK's command line passes it on. A rule
// compares it with the settings before anything changes.
func (b *builder) userClaim() {
	recorded := awscdk.NewCfnParameter(b.scope, jsii.String("UserClaim"), &awscdk.CfnParameterProps{
		Type: jsii.String("String"), Default: jsii.String(shared.UserClaim),
		Description: jsii.String("The claim that is the user. Its value stays from one deploy to the next"),
	})
	claim := b.Config.Tokens.UserClaim
	awscdk.NewCfnRule(b.scope, jsii.String("SameUserClaim"),
		&awscdk.CfnRuleProps{Assertions: &[]*awscdk.CfnRuleAssertion{{
			Assert: awscdk.Fn_ConditionEquals(recorded.ValueAsString(), jsii.String(claim)),
			AssertDescription: jsii.String(fmt.Sprintf(
				"UserClaim is %[1]s in the settings, but this stack has recorded another claim. With %[1]s, "+
					"everybody becomes another user, without their rooms. To confirm that, deploy with "+
					"--parameters UserClaim=%[1]s (docs/sign-in.md)", claim)),
		}}})
}

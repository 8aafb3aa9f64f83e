package stack

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/jsii-runtime-go"

	shared "example.com/parley/internal/config"
)

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

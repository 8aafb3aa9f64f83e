package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscertificatemanager"
	"github.com/aws/jsii-runtime-go"
)

// domain serves the API under the team's own name, if one is stated. It costs nothing. The DNS
// record is not part of the stack: it can be with any provider, and it outlives the stack.
func (b *builder) domain(api awsapigatewayv2.HttpApi, stage awsapigatewayv2.HttpStage) {
	d := b.Config.API.Domain
	if d.Name == "" {
		return
	}
	name := awsapigatewayv2.NewDomainName(b.scope, jsii.String("Domain"), &awsapigatewayv2.DomainNameProps{
		DomainName:     jsii.String(d.Name),
		Certificate:    awscertificatemanager.Certificate_FromCertificateArn(b.scope, jsii.String("Certificate"), jsii.String(d.Certificate)),
		EndpointType:   awsapigatewayv2.EndpointType_REGIONAL,
		SecurityPolicy: awsapigatewayv2.SecurityPolicy_TLS_1_2,
	})
	fixID(name, "Domain")
	mapping := awsapigatewayv2.NewApiMapping(b.scope, jsii.String("DomainMapping"), &awsapigatewayv2.ApiMappingProps{
		Api: api, DomainName: name, Stage: stage,
	})
	fixID(mapping, "DomainMapping")
	b.output("DomainTarget", name.RegionalDomainName(), "The target of the domain: by a CNAME, or an alias in Route 53")
	b.output("DomainZone", name.RegionalHostedZoneId(), "The hosted zone of DomainTarget, for an alias in Route 53")
}

// socketDomain serves the WebSocket API under a name of its own, if one is stated. API Gateway does
// not map one name to an HTTP API and to a WebSocket API.
func (b *builder) socketDomain(api awsapigatewayv2.WebSocketApi, stage awsapigatewayv2.WebSocketStage) {
}

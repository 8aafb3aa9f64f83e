package stack

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/internal/httpapi"
)

// The public routes are open to everyone, so their throttles limit the cost that a stranger can
// cause. API Gateway answers a request above a throttle with 429, and does not bill it.
const (
	// publicRate is the limit of requests a second for one route: browsers cache a document, and
	// teams read it rarely, as they do an invitation. publicBurst lets a whole team open one
	// together.
	publicRate  = 1
	publicBurst = 20
	// maxPublicRate is the limit of the sum. The documents take ten: 36,000 requests an hour, some
	// $0.23 of API Gateway ($0.04), Lambda ($0.01), logs ($0.02), transfer ($0.16). Invitations
	// take two, for $0.02 an hour: a read unit if there is none. The other eight are for
	// routes to which programs send by a secret address: some $0.07 an hour, without transfer,
	// and with two read units ($0.01) and a KB of log. A flood of all of them takes 1 % of prod's
	// default Rate from others, and a fifth of dev's.
	maxPublicRate = 20
)

// throttle is the limit of one route.
type throttle struct{ rate, burst int }

// publicThrottles returns a throttle for every public route. It fails if all of them together allow
// more than maxPublicRate.
func publicThrottles(routes []httpapi.Route, apiRate int) (map[string]throttle, error) {
	throttles := map[string]throttle{}
	for _, r := range routes {
		if r.Public {
			throttles[r.Key()] = throttle{min(publicRate, apiRate), publicBurst}
		}
	}
	sum := 0
	for key, t := range throttles {
		if t.rate < 1 || t.burst < t.rate {
			return nil, fmt.Errorf("the public route %s has the throttle %+v, which allows no request", key, t)
		}
		sum += t.rate
	}
	if sum > maxPublicRate {
		return nil, fmt.Errorf("the public routes allow %d requests a second, more than %d", sum, maxPublicRate)
	}
	return throttles, nil
}

// throttlePublic sets the throttles on the stage. API Gateway refuses settings of a route that
// does not exist yet, so the stage depends on the routes.
func (b *builder) throttlePublic(stage awsapigatewayv2.HttpStage, public map[string]awsapigatewayv2.HttpRoute) {
	throttles, err := publicThrottles(httpapi.Routes(), b.Config.API.Rate)
	if err != nil {
		awscdk.Annotations_Of(stage).AddError(jsii.String(err.Error()))
		return
	}
	settings := map[string]any{}
	for key, t := range throttles {
		settings[key] = map[string]any{"ThrottlingRateLimit": t.rate, "ThrottlingBurstLimit": t.burst}
		stage.Node().AddDependency(public[key].Node().DefaultChild())
	}
	stage.Node().DefaultChild().(awsapigatewayv2.CfnStage).SetRouteSettings(settings)
}

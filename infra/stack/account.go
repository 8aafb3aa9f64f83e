package stack

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbudgets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"
)

// account applies a company's rules to the whole stack: the boundary to each role, and the tags to
// each resource that accepts tags. Neither costs anything.
func (b *builder) account() {
	if policy := b.Config.Account.PermissionsBoundary; policy != "" {
		awsiam.PermissionsBoundary_Of(b.scope).Apply(b.boundary(policy))
	}
	tags := b.Config.Account.Tags
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		awscdk.Tags_Of(b.scope).Add(jsii.String(key), jsii.String(tags[key]), nil)
	}
}

// boundary returns the policy with an ARN or a name.
func (b *builder) boundary(policy string) awsiam.IManagedPolicy {
	id := jsii.String("Boundary")
	if strings.HasPrefix(policy, "arn:") {
		return awsiam.ManagedPolicy_FromManagedPolicyArn(b.scope, id, jsii.String(policy))
	}
	return awsiam.ManagedPolicy_FromManagedPolicyName(b.scope, id, jsii.String(policy))
}

// stackTags returns the tags of the stack itself, which the CDK's command line passes to
// CloudFormation. In an app with the CDK's flag for explicit tags of stacks, Tags_Of omits them.
func stackTags(tags map[string]string) *map[string]*string {
	if len(tags) == 0 {
		return nil
	}
	all := map[string]*string{}
	for key, value := range tags {
		all[key] = jsii.String(value)
	}
	return &all
}

// tagBudget tags a budget, which Tags_Of omits.
func (b *builder) tagBudget(budget awsbudgets.CfnBudget) {
	tags := b.Config.Account.Tags
	if len(tags) == 0 {
		return
	}
	var all []any
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		all = append(
			all, &awsbudgets.CfnBudget_ResourceTagProperty{Key: jsii.String(key), Value: jsii.String(tags[key])},
		)
	}
	budget.SetResourceTags(all)
}

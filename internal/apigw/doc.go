package apigw

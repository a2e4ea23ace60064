/* Certificates for tests, valid for a hundred years: an authority, and for one key a certificate for 127.0.0.1 and
 * localhost, and one for other.example. The authority's key is thrown away. */
#include "support/server/internal.h"

const char server_ca[] =
	"-----BEGIN CERTIFICATE-----\n"
	"MIIBgjCCASmgAwIBAgIUBTedaYqoiZDg3+vGOmjFBRhz8/0wCgYIKoZIzj0EAwIw\n"
	"FjEUMBIGA1UEAwwLc290dG8gdGVzdHMwIBcNMjYxMTI4MjAxMTMwWhgPMjEyNjEx\n"
	"MDQyMDExMzBaMBYxFDASBgNVBAMMC3NvdHRvIHRlc3RzMFkwEwYHKoZIzj0CAQYI\n"
	"KoZIzj0DAQcDQgAEh80Hw4/lvlU3OlyB8Xkyu7mW8yzuQj90c9p0XBEArYKaK6EH\n"
	"1aG18oFZeJaPiftcXa978au5W9rQW9H2D8fqVqNTMFEwHQYDVR0OBBYEFBS5kOMw\n"
	"oonwoL6hY4B/wfdvBjJmMB8GA1UdIwQYMBaAFBS5kOMwoonwoL6hY4B/wfdvBjJm\n"
	"MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgKWNneqZGDMIHZ54M\n"
	"RuXX7rxVVRKr54wpp6yCDCz9YYkCIAWOzEPJUz5rY104ipPUxtzLxvXnizzDt1OP\n"
	"t4mYr4v9\n"
	"-----END CERTIFICATE-----\n";

const char server_certificate[] =
	"-----BEGIN CERTIFICATE-----\n"
	"MIIBljCCAT2gAwIBAgIURugyIiRNNcC2G0j/k8Vh63YM3LgwCgYIKoZIzj0EAwIw\n"
	"FjEUMBIGA1UEAwwLc290dG8gdGVzdHMwIBcNMjYxMTI4MjAxMTMwWhgPMjEyNjEx\n"
	"MDQyMDExMzBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqG\n"
	"SM49AwEHA0IABP2CRMX6rv/vVhzwBgdxNRiq7FSl+yKvzXePuGpzVcSApQN9DcuW\n"
	"le+gVM/tXMpv9RDB9q7aK6OeZhnCGNofKRWjaTBnMBoGA1UdEQQTMBGHBH8AAAGC\n"
	"CWxvY2FsaG9zdDAJBgNVHRMEAjAAMB0GA1UdDgQWBBQG4kM45Z9FEtAJzuoC9cQw\n"
	"K27FoTAfBgNVHSMEGDAWgBQUuZDjMKKJ8KC+oWOAf8H3bwYyZjAKBggqhkjOPQQD\n"
	"AgNHADBEAiAt269sUz0JaMPmH/0U3JLDJjpqUTzTqL4/cmQw6k3EXwIgQ+mLwRhL\n"
	"TDrH4N6zKUX7znQuoqqsrsq0ZvFXXtWZDu4=\n"
	"-----END CERTIFICATE-----\n";

const char server_other_certificate[] =
	"-----BEGIN CERTIFICATE-----\n"
	"MIIBhzCCASygAwIBAgIBBzAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtzb3R0byB0\n"
	"ZXN0czAgFw0yNjExMjgyMDExMzBaGA8yMTI2MTEwNDIwMTEzMFowGDEWMBQGA1UE\n"
	"AwwNb3RoZXIuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABP2CRMX6\n"
	"rv/vVhzwBgdxNRiq7FSl+yKvzXePuGpzVcSApQN9DcuWle+gVM/tXMpv9RDB9q7a\n"
	"K6OeZhnCGNofKRWjZzBlMBgGA1UdEQQRMA+CDW90aGVyLmV4YW1wbGUwCQYDVR0T\n"
	"BAIwADAdBgNVHQ4EFgQUBuJDOOWfRRLQCc7qAvXEMCtuxaEwHwYDVR0jBBgwFoAU\n"
	"FLmQ4zCiifCgvqFjgH/B928GMmYwCgYIKoZIzj0EAwIDSQAwRgIhAKXudwFKWSar\n"
	"FEYBcIlMtiMzD4LWXZ48dwqmwuX459mhAiEA8pFCbLTlLH4tbmgS1fS//V250lC+\n"
	"xrp+8dRAx+HBFXU=\n"
	"-----END CERTIFICATE-----\n";

const char server_key_pem[] =
	"-----BEGIN PRIVATE KEY-----\n"
	"MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJl7k2b6H0GBpO8tT\n"
	"Hgbbd8/JF89zThwCy/bQ3Z6zezuhRANCAAT9gkTF+q7/71Yc8AYHcTUYquxUpfsi\n"
	"r813j7hqc1XEgKUDfQ3LlpXvoFTP7VzKb/UQwfau2iujnmYZwhjaHykV\n"
	"-----END PRIVATE KEY-----\n";

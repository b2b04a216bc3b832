<?php
/**
 * Calls of the management API.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use WP_Error;

defined( 'ABSPATH' ) || exit;

/**
 * One API key is all that the shop owner enters: the plugin finds the store, and creates its own postback key.
 */
final class Service {
	private const TIMEOUT_SECONDS = 15;

	public function __construct(
		private readonly string $url,
		private readonly string $api_key,
	) {
	}

	public static function connected(): ?self {
		$connection = Settings::connection();
		return null === $connection ? null : new self( $connection['url'], $connection['api_key'] );
	}

	/**
	 * Connects the shop: looks up the store of the API key, and creates a postback key.
	 */
	public static function connect( string $url, string $api_key ): ?WP_Error {
		$url = untrailingslashit( trim( $url ) );
		if ( ! wp_http_validate_url( $url ) && ! self::is_local( $url ) ) {
			return new WP_Error( 'url', __( 'Enter the URL of the service, such as https://partners.example.com.', 'tributary-for-woocommerce' ) );
		}
		if ( str_starts_with( $url, 'http://' ) && ! self::is_local( $url ) ) {
			return new WP_Error( 'url', __( 'The URL must begin with https://, because plain HTTP exposes the key.', 'tributary-for-woocommerce' ) );
		}
		if ( 1 !== preg_match( '/^trb_[\x21-\x7e]+$/D', $api_key ) ) {
			return new WP_Error( 'api_key', __( 'Enter the API key as the dashboard shows it. It begins with trb_.', 'tributary-for-woocommerce' ) );
		}
		$service = new self( $url, $api_key );
		$stores  = $service->request( 'GET', '/stores?limit=2' );
		if ( is_wp_error( $stores ) ) {
			return $stores;
		}
		if ( 1 !== count( $stores['data'] ) ) {
			return new WP_Error( 'api_key', __( 'This API key is not for exactly one store. Create a key in the settings of the store.', 'tributary-for-woocommerce' ) );
		}
		$store = $stores['data'][0];
		$key   = $service->request( 'POST', "/stores/{$store['id']}/postback-keys", array() );
		if ( is_wp_error( $key ) ) {
			return $key;
		}
		Code_Sync::begin( $store['id'] );
		Settings::connect(
			array(
				'url'             => $url,
				'api_key'         => $api_key,
				'store_id'        => $store['id'],
				'store_name'      => $store['name'],
				'tracking_key'    => $store['tracking_key'],
				'postback_key'    => $key['key'],
				'postback_key_id' => $key['id'],
			)
		);
		return null;
	}

	/**
	 * Calls an operation of the connected store.
	 *
	 * @param ?array<string, mixed> $body Sent as JSON.
	 * @return array<string, mixed>|WP_Error
	 */
	public static function request_of_store( string $method, string $path, ?array $body = null, int $timeout_seconds = self::TIMEOUT_SECONDS ): array|WP_Error {
		$service    = self::connected();
		$connection = Settings::connection();
		return null === $service
			? new WP_Error( 'not_connected', __( 'Connect the shop first.', 'tributary-for-woocommerce' ) )
			: $service->request( $method, "/stores/{$connection['store_id']}$path", $body, $timeout_seconds );
	}

	/** Deletes the plugin's postback key at the service, and forgets the connection. */
	public static function disconnect(): void {
		$connection = Settings::connection();
		if ( null !== $connection ) {
			$service = new self( $connection['url'], $connection['api_key'] );
			$service->request( 'DELETE', "/stores/{$connection['store_id']}/postback-keys/{$connection['postback_key_id']}" );
		}
		Settings::disconnect();
	}

	/**
	 * Sends a request to the management API. The error of a rejected request has the message of the service.
	 *
	 * @param ?array<string, mixed> $body Sent as JSON.
	 * @return array<string, mixed>|WP_Error
	 */
	public function request( string $method, string $path, ?array $body = null, int $timeout_seconds = self::TIMEOUT_SECONDS ): array|WP_Error {
		$headers = array(
			'Authorization' => "Bearer {$this->api_key}",
			'Accept'        => 'application/json',
		);
		if ( null !== $body ) {
			$headers['Content-Type'] = 'application/json';
		}
		$response = wp_remote_request(
			"{$this->url}/api/v1$path",
			array(
				'method'      => $method,
				'headers'     => $headers,
				'body'        => null === $body ? null : wp_json_encode( (object) $body ),
				'timeout'     => $timeout_seconds,
				'redirection' => 0,
			)
		);
		if ( is_wp_error( $response ) ) {
			/* translators: %s: URL of the service */
			return new WP_Error( 'unavailable', sprintf( __( 'The service at %s does not respond. Check the URL, and try again.', 'tributary-for-woocommerce' ), $this->url ) );
		}
		$status = wp_remote_retrieve_response_code( $response );
		$json   = json_decode( wp_remote_retrieve_body( $response ), true );
		if ( $status >= 200 && $status < 300 && ( is_array( $json ) || 204 === $status ) ) {
			return $json ?? array();
		}
		if ( ! is_array( $json ) || ! isset( $json['reason'] ) ) {
			/* translators: %d: HTTP status */
			return new WP_Error( 'http', sprintf( __( 'The response was HTTP %d, which is not from Tributary. Check the URL.', 'tributary-for-woocommerce' ), $status ) );
		}
		$problems = array_map( static fn ( array $error ): string => "{$error['field']}: {$error['message']}", $json['errors'] ?? array() );
		return new WP_Error( (string) $json['reason'], implode( ' ', array( (string) $json['message'], ...$problems ) ), array( 'status' => $status ) );
	}

	private static function is_local( string $url ): bool {
		return 1 === preg_match( '#^http://(localhost|127(\.\d+){3})(:\d+)?$#', $url );
	}
}

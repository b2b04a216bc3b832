<?php
/**
 * Discount codes of the service.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use WP_Error;

defined( 'ABSPATH' ) || exit;

/**
 * A code belongs to one creator in one program. Its owner is written as "program creator", by their IDs.
 */
final class Codes {
	private const PAGE      = 200;
	private const PAGES_MAX = 500;

	/** Names are compared without case, as the service compares them. */
	public static function key( string $name ): string {
		$composed = class_exists( \Normalizer::class ) ? (string) \Normalizer::normalize( $name ) : $name;
		$lower    = mb_strtolower( $composed, 'UTF-8' );
		return str_replace( 'ς', 'σ', class_exists( \Normalizer::class ) ? (string) \Normalizer::normalize( $lower ) : $lower );
	}

	/** The owner of a code, or of a membership in a program. */
	public static function owner( array $code ): string {
		return "{$code['program_id']} {$code['creator_id']}";
	}

	/**
	 * The creator and the program, as `owners()` names them.
	 *
	 * @param array<string, mixed> $code As the service returns it.
	 */
	public static function owner_name( array $code ): string {
		return "{$code['creator_name']} – {$code['program_name']}";
	}

	/**
	 * The part of a code that coupons follow.
	 *
	 * @param array<string, mixed> $code As the service returns it.
	 * @return array{status: string, until: ?string}
	 */
	public static function state( array $code ): array {
		return array( 'status' => $code['status'], 'until' => $code['valid_until'] );
	}

	/** A time of the service in seconds. */
	public static function seconds( ?string $time ): ?int {
		return null === $time ? null : (int) strtotime( $time );
	}

	/**
	 * All codes of the store, newest first.
	 *
	 * @return list<array<string, mixed>>|WP_Error
	 */
	public static function all(): array|WP_Error {
		return self::pages( '/codes', array() );
	}

	/**
	 * The code with this name, in any spelling, or null.
	 *
	 * @return array<string, mixed>|WP_Error|null
	 */
	public static function find( string $name ): array|WP_Error|null {
		$found = self::pages( '/codes', array( 'q' => $name ) );
		foreach ( is_wp_error( $found ) ? array() : $found as $code ) {
			if ( self::key( $code['code'] ) === self::key( $name ) ) {
				return $code;
			}
		}
		return is_wp_error( $found ) ? $found : null;
	}

	/**
	 * Creates a code for a creator.
	 *
	 * @return array<string, mixed>|WP_Error
	 */
	public static function create( string $name, string $owner, ?string $valid_until ): array|WP_Error {
		[ $program, $creator ] = explode( ' ', $owner );
		return Service::request_of_store(
			'POST',
			"/programs/$program/codes",
			array(
				'code'        => $name,
				'creator_id'  => $creator,
				'valid_until' => $valid_until,
			)
		);
	}

	/**
	 * Changes a code.
	 *
	 * @param array<string, mixed> $change Fields of the service.
	 * @return array<string, mixed>|WP_Error
	 */
	public static function change( string $id, array $change ): array|WP_Error {
		return Service::request_of_store( 'PATCH', "/codes/$id", $change );
	}

	/**
	 * The creators of the store's programs, as names by owner.
	 *
	 * @return array<string, string>|WP_Error
	 */
	public static function owners(): array|WP_Error {
		$members = self::pages( '/creators', array( 'status' => 'approved' ) );
		if ( is_wp_error( $members ) ) {
			return $members;
		}
		$names = array();
		foreach ( $members as $member ) {
			$names[ self::owner( $member ) ] = self::owner_name( $member );
		}
		natcasesort( $names );
		return $names;
	}

	/** Whether a request that failed can succeed later without a change in the shop. */
	public static function is_final( WP_Error $error ): bool {
		return in_array( $error->get_error_data()['status'] ?? 0, array( 400, 409, 422 ), true );
	}

	/**
	 * Reads a list to its end.
	 *
	 * @param array<string, string> $query Filters of the list.
	 * @return list<array<string, mixed>>|WP_Error
	 */
	private static function pages( string $path, array $query ): array|WP_Error {
		$rows   = array();
		$cursor = null;
		for ( $page = 0; $page < self::PAGES_MAX; $page++ ) {
			$parameters = array_filter( array( ...$query, 'limit' => self::PAGE, 'cursor' => $cursor ), static fn ( $value ): bool => null !== $value );
			$answer     = Service::request_of_store( 'GET', $path . '?' . http_build_query( $parameters, '', '&', PHP_QUERY_RFC3986 ) );
			if ( is_wp_error( $answer ) ) {
				return $answer;
			}
			array_push( $rows, ...$answer['data'] );
			$cursor = $answer['next_cursor'] ?? null;
			if ( null === $cursor ) {
				break;
			}
		}
		return $rows;
	}
}

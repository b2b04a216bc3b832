<?php
/**
 * What the plugin stores with coupons.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use WC_Coupon;

defined( 'ABSPATH' ) || exit;

/**
 * A coupon that is the discount code of a creator has the ID of the code. Its link contains what both sides were when they agreed last, so
 * that a later difference shows which of the two has changed.
 */
final class Coupons {
	/** The ID of the discount code. */
	public const CODE = '_tributary_code_id';
	/** Present while a change in the shop waits to be sent. */
	public const PENDING = '_tributary_pending';
	private const LINK   = '_tributary_link';

	/** A shop has few coupons with the same name up to case and accents. */
	private const SAME_NAME_MAX = 20;

	/** The coupon with this ID, or null. */
	public static function get( int $id ): ?WC_Coupon {
		return 'shop_coupon' === get_post_type( $id ) ? new WC_Coupon( $id ) : null;
	}

	/**
	 * The link of a coupon: its owner and the owner's name, whether the plugin created the coupon, the coupon (as `wanted()` returns it) and
	 * the code when they agreed last, and the last error.
	 *
	 * @return array{owner: string, owner_name: string, is_created: bool, coupon: array<string, ?string>, code: array<string, ?string>, error: string}
	 */
	public static function link( WC_Coupon $coupon ): array {
		$stored = $coupon->get_meta( self::LINK );
		$empty  = array( 'owner' => '', 'owner_name' => '', 'is_created' => false, 'coupon' => array(), 'code' => array(), 'error' => '' );
		return array( ...$empty, ...( is_array( $stored ) ? $stored : array() ) );
	}

	/** The ID of the coupon's discount code, or null. */
	public static function code_id( WC_Coupon $coupon ): ?string {
		$id = (string) $coupon->get_meta( self::CODE );
		return '' === $id ? null : $id;
	}

	/**
	 * Sets the link without saving the coupon.
	 *
	 * @param array<string, mixed> $link As `link()` returns it; fields that are absent keep their values.
	 */
	public static function set_link( WC_Coupon $coupon, array $link, ?string $code_id ): void {
		$coupon->update_meta_data( self::LINK, array( ...self::link( $coupon ), ...$link ) );
		null === $code_id ? $coupon->delete_meta_data( self::CODE ) : $coupon->update_meta_data( self::CODE, $code_id );
	}

	/**
	 * What the code of a coupon should be. A coupon that shoppers cannot use has a paused code.
	 *
	 * @param ?string $post_status The status that the coupon will have, or null for the one it has.
	 * @return array{name: string, owner: string, status: string, until: ?string}
	 */
	public static function wanted( WC_Coupon $coupon, ?string $post_status = null ): array {
		$expires   = $coupon->get_date_expires();
		$is_usable = 'publish' === ( $post_status ?? get_post_status( $coupon->get_id() ) ) && ( null === $expires || $expires->getTimestamp() > time() );
		return array(
			'name'   => Codes::key( $coupon->get_code() ),
			'owner'  => self::link( $coupon )['owner'],
			'status' => $is_usable ? 'active' : 'paused',
			'until'  => $is_usable && null !== $expires ? gmdate( 'Y-m-d\TH:i:s\Z', $expires->getTimestamp() ) : null,
		);
	}

	/** The coupon of a discount code, in any status. */
	public static function of_code( string $code_id ): ?WC_Coupon {
		return self::first( array( array( 'key' => self::CODE, 'value' => $code_id ) ) );
	}

	/** The coupon with this name, published ones first. WooCommerce finds only published ones. */
	public static function named( string $name ): ?WC_Coupon {
		global $wpdb;
		// The collation also ignores accents, so the names are compared once more.
		$ids = $wpdb->get_col(
			$wpdb->prepare(
				"SELECT ID FROM %i WHERE post_type = 'shop_coupon' AND post_title IN (%s, %s) AND post_status NOT IN ('auto-draft', 'inherit') ORDER BY post_status = 'publish' DESC, ID LIMIT %d",
				$wpdb->posts,
				$name,
				esc_html( $name ),
				self::SAME_NAME_MAX
			)
		);
		foreach ( $ids as $id ) {
			$coupon = self::get( (int) $id );
			if ( null !== $coupon && Codes::key( $coupon->get_code() ) === Codes::key( $name ) ) {
				return $coupon;
			}
		}
		return null;
	}

	/**
	 * The IDs of coupons with a change that was not sent yet.
	 *
	 * @return list<int>
	 */
	public static function pending( int $limit ): array {
		return self::ids( array( array( 'key' => self::PENDING, 'compare' => 'EXISTS' ) ), $limit );
	}

	/**
	 * Whether one of these coupons is the code of a creator.
	 *
	 * @param list<string> $names Names of an order's coupons.
	 */
	public static function include_creators( array $names ): bool {
		foreach ( $names as $name ) {
			$coupon = self::named( $name );
			if ( null !== $coupon && null !== self::code_id( $coupon ) ) {
				return true;
			}
		}
		return false;
	}

	/** Removes all marks, because the shop was connected to another store. */
	public static function forget(): void {
		array_map( 'delete_post_meta_by_key', array( self::CODE, self::PENDING, self::LINK ) );
	}

	/**
	 * The first coupon with this metadata, or null.
	 *
	 * @param list<array<string, string>> $meta Conditions of WP_Query.
	 */
	private static function first( array $meta ): ?WC_Coupon {
		$ids = self::ids( $meta, 1 );
		return array() === $ids ? null : self::get( $ids[0] );
	}

	/**
	 * IDs of coupons in any status, also in the trash.
	 *
	 * @param list<array<string, string>> $meta Conditions of WP_Query.
	 * @return list<int>
	 */
	private static function ids( array $meta, int $limit ): array {
		$status = array( 'publish', 'draft', 'pending', 'private', 'future', 'trash' );
		// phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_query -- few coupons have this key, which the table of metadata has an index of.
		return array_map( 'intval', get_posts( array( 'post_type' => 'shop_coupon', 'post_status' => $status, 'numberposts' => $limit, 'fields' => 'ids', 'meta_query' => $meta, 'orderby' => 'ID', 'order' => 'ASC' ) ) );
	}
}

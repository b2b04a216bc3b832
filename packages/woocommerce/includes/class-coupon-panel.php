<?php
/**
 * The creator on the page of a coupon.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use WC_Coupon;

defined( 'ABSPATH' ) || exit;

/**
 * The shop owner chooses the creator of a coupon from the members of the store's programs.
 */
final class Coupon_Panel {
	private const FIELD  = 'tributary_owner';
	private const NONCE  = 'tributary_owner_nonce';
	private const OWNERS = 'tributary_owners';
	private const COLUMN = 'tributary';

	private const KEPT_SECONDS = 5 * MINUTE_IN_SECONDS;

	public static function register(): void {
		add_action( 'woocommerce_coupon_options', array( self::class, 'render' ), 10, 2 );
		add_action( 'woocommerce_coupon_options_save', array( self::class, 'save' ) );
		add_filter( 'manage_edit-shop_coupon_columns', array( self::class, 'add_column' ), 20 );
		add_action( 'manage_shop_coupon_posts_custom_column', array( self::class, 'render_column' ), 10, 2 );
	}

	public static function render( int $id, WC_Coupon $coupon ): void {
		$link   = Coupons::link( $coupon );
		$owners = self::owners();
		$is_ok  = ! is_wp_error( $owners );
		// The current creator is in the list even if the service does not respond, or the creator has left the program.
		$names = array( '' => __( 'No creator', 'tributary-for-woocommerce' ), ...( $is_ok ? $owners : array() ) );
		if ( '' !== $link['owner'] ) {
			$names[ $link['owner'] ] ??= $link['owner_name'];
		}
		wp_nonce_field( self::NONCE, self::NONCE );
		woocommerce_wp_select(
			array(
				'id'          => self::FIELD,
				'label'       => __( 'Creator', 'tributary-for-woocommerce' ),
				'value'       => $link['owner'],
				'options'     => $names,
				'class'       => 'wc-enhanced-select',
				'desc_tip'    => true,
				'description' => __( 'The coupon becomes the discount code of this creator, who earns the orders with it as the terms of the program say.', 'tributary-for-woocommerce' ),
			)
		);
		printf( '<p class="form-field"><label></label>%s</p>', esc_html( $is_ok ? self::state( $coupon ) : $owners->get_error_message() ) );
	}

	/** WooCommerce has saved the other fields, and has verified the nonce of the page; ours also says that the field was shown. */
	public static function save( int $id ): void {
		$nonce = sanitize_key( wp_unslash( $_POST[ self::NONCE ] ?? '' ) );
		if ( ! wp_verify_nonce( $nonce, self::NONCE ) || ! current_user_can( 'edit_shop_coupons' ) ) {
			return;
		}
		self::give( $id, sanitize_text_field( wp_unslash( $_POST[ self::FIELD ] ?? '' ) ) );
	}

	/** Makes the coupon the code of a creator, or of none with an empty owner. */
	public static function give( int $id, string $owner ): void {
		$coupon = Coupons::get( $id );
		if ( null === $coupon || Coupons::link( $coupon )['owner'] === $owner || 1 !== preg_match( '/^(prog_\w+ crt_\w+)?$/D', $owner ) ) {
			return;
		}
		$owners = self::owners();
		$name   = is_wp_error( $owners ) ? '' : ( $owners[ $owner ] ?? '' );
		Coupons::set_link( $coupon, array( 'owner' => $owner, 'owner_name' => $name, 'error' => '' ), Coupons::code_id( $coupon ) );
		$coupon->save_meta_data();
		Coupon_Codes::compare( $id );
	}

	/**
	 * Adds the column "Creator" to the list of coupons.
	 *
	 * @param array<string, string> $columns Titles by name.
	 * @return array<string, string>
	 */
	public static function add_column( array $columns ): array {
		return array( ...$columns, self::COLUMN => __( 'Creator', 'tributary-for-woocommerce' ) );
	}

	public static function render_column( string $column, int $id ): void {
		$coupon = self::COLUMN === $column ? Coupons::get( $id ) : null;
		if ( null !== $coupon ) {
			$name = Coupons::link( $coupon )['owner_name'];
			echo esc_html( '' === $name ? '–' : $name );
		}
	}

	/** One sentence about the code of a coupon. */
	public static function state( WC_Coupon $coupon ): string {
		$link = Coupons::link( $coupon );
		if ( $coupon->get_meta( Coupons::PENDING ) ) {
			$waiting = __( 'The change waits to be sent.', 'tributary-for-woocommerce' );
			return '' === $link['error'] ? $waiting : "$waiting {$link['error']}";
		}
		if ( '' !== $link['error'] ) {
			return $link['error'];
		}
		if ( null === Coupons::code_id( $coupon ) ) {
			return '' === $link['owner'] ? '' : __( 'The coupon becomes a discount code when it is published.', 'tributary-for-woocommerce' );
		}
		$sentences = array(
			'active' => __( 'The discount code is active.', 'tributary-for-woocommerce' ),
			'paused' => __( 'The discount code is paused: its orders earn nothing.', 'tributary-for-woocommerce' ),
			'ended'  => __( 'The discount code has ended: its orders earn nothing.', 'tributary-for-woocommerce' ),
		);
		return $sentences[ $link['code']['status'] ?? '' ] ?? '';
	}

	/**
	 * Names by owner, kept for a few minutes, so that a page does not wait for the service each time.
	 *
	 * @return array<string, string>|\WP_Error
	 */
	private static function owners(): array|\WP_Error {
		$kept = get_transient( self::OWNERS );
		if ( is_array( $kept ) ) {
			return $kept;
		}
		$owners = Codes::owners();
		if ( ! is_wp_error( $owners ) ) {
			set_transient( self::OWNERS, $owners, self::KEPT_SECONDS );
		}
		return $owners;
	}
}

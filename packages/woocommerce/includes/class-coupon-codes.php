<?php
/**
 * Sends changes of coupons to the discount codes of their creators.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use WC_Coupon;
use WP_Error;
use WP_Post;

defined( 'ABSPATH' ) || exit;

/**
 * A change is stored with the coupon before it is sent. If the service does not respond, the next run of Code_Sync sends it.
 */
final class Coupon_Codes {
	public const SEND  = 'tributary_send_coupon';
	public const PAUSE = 'tributary_pause_code';

	private static bool $is_following = false;

	public static function register(): void {
		add_action( self::SEND, array( self::class, 'send' ) );
		add_action( self::PAUSE, array( self::class, 'pause' ) );
		add_action( 'woocommerce_new_coupon', array( self::class, 'compare' ) );
		add_action( 'woocommerce_update_coupon', array( self::class, 'compare' ) );
		// Covers the trash, quick edit, and bulk actions, which WooCommerce raises no event for.
		add_action( 'transition_post_status', array( self::class, 'compare_post' ), 10, 3 );
		add_action( 'before_delete_post', array( self::class, 'pause_deleted' ) );
	}

	public static function compare_post( string $to, string $from, WP_Post $post ): void {
		if ( 'shop_coupon' === $post->post_type && $to !== $from ) {
			self::compare( $post->ID );
		}
	}

	/** Changes a coupon in a way that is not to be sent, because it came from the service. */
	public static function without_events( callable $change ): void {
		self::$is_following = true;
		try {
			$change();
		} finally {
			self::$is_following = false;
		}
	}

	/** Notes that a coupon has a change to send, and schedules it. */
	public static function compare( int $id ): void {
		$coupon = self::$is_following ? null : Coupons::get( $id );
		if ( null === $coupon ) {
			return;
		}
		$link   = Coupons::link( $coupon );
		$is_due = '' !== $link['owner'] || null !== Coupons::code_id( $coupon );
		if ( ! $is_due || Coupons::wanted( $coupon ) === $link['coupon'] ) {
			$coupon->delete_meta_data( Coupons::PENDING );
			$coupon->save_meta_data();
			return;
		}
		$coupon->update_meta_data( Coupons::PENDING, '1' );
		$coupon->save_meta_data();
		if ( ! as_has_scheduled_action( self::SEND, array( $id ), Report_Sender::GROUP ) ) {
			as_enqueue_async_action( self::SEND, array( $id ), Report_Sender::GROUP );
		}
	}

	/** Sends the change of a coupon. */
	public static function send( int $id ): void {
		$coupon = Coupons::get( $id );
		if ( null === $coupon || ! $coupon->get_meta( Coupons::PENDING ) || ! Settings::is_connected() ) {
			return;
		}
		$sent  = Coupons::wanted( $coupon );
		$code  = self::agree( $coupon, $sent );
		$error = is_wp_error( $code ) ? $code->get_error_message() : '';
		// Reads it again, because the shop owner may have changed it during the request.
		$coupon = Coupons::get( $id );
		if ( null === $coupon ) {
			is_array( $code ) && self::pause( $code['id'] );
			return;
		}
		if ( is_wp_error( $code ) && ! Codes::is_final( $code ) ) {
			Coupons::set_link( $coupon, array( 'error' => $error ), Coupons::code_id( $coupon ) );
			$coupon->save_meta_data();
			return;
		}
		if ( is_wp_error( $code ) && ! isset( $code->get_error_data()['code'] ) ) {
			// Without a common state, the next change of the coupon tries again.
			Coupons::set_link( $coupon, array( 'error' => $error, 'coupon' => array() ), Coupons::code_id( $coupon ) );
			$coupon->delete_meta_data( Coupons::PENDING );
			$coupon->save_meta_data();
			return;
		}
		$kept = is_wp_error( $code ) ? $code->get_error_data()['code'] : $code;
		self::settle( $coupon, $sent, '' === $error || 'active' === $kept['status'] ? $kept : null, $error );
		self::compare( $id );
	}

	/**
	 * Stores what the service has for a coupon.
	 *
	 * @param array<string, ?string> $sent What the coupon was when the request was sent.
	 * @param ?array<string, mixed>  $code The code of the coupon, or null if it has none.
	 */
	private static function settle( WC_Coupon $coupon, array $sent, ?array $code, string $error ): void {
		$owner = array( 'owner' => $sent['owner'], 'owner_name' => Coupons::link( $coupon )['owner_name'] );
		if ( null !== $code ) {
			$owner = array( 'owner' => Codes::owner( $code ), 'owner_name' => Codes::owner_name( $code ) );
		} elseif ( '' !== $error || '' === $sent['owner'] ) {
			$owner = array( 'owner' => '', 'owner_name' => '' );
		}
		$link = array( 'error' => $error, 'code' => null === $code ? array() : Codes::state( $code ), 'coupon' => array( ...$sent, 'owner' => $owner['owner'] ) );
		if ( Coupons::link( $coupon )['owner'] === $sent['owner'] ) {
			$link = array( ...$link, ...$owner );
		}
		if ( null === $code ) {
			$link['is_created'] = false;
		}
		Coupons::set_link( $coupon, $link, $code['id'] ?? null );
		$coupon->save_meta_data();
	}

	/** A coupon that is deleted pauses its code: a new coupon of the same name can activate it again, which an ended code does not allow. */
	public static function pause_deleted( int $id ): void {
		$coupon  = Coupons::get( $id );
		$code_id = null === $coupon ? null : Coupons::code_id( $coupon );
		if ( null !== $code_id ) {
			as_enqueue_async_action( self::PAUSE, array( $code_id ), Report_Sender::GROUP );
		}
	}

	/** Pauses a code, later if the service does not respond. */
	public static function pause( string $code_id ): void {
		$paused = Codes::change( $code_id, array( 'status' => 'paused' ) );
		if ( self::can_retry( $paused ) ) {
			as_schedule_single_action( time() + Code_Sync::INTERVAL, self::PAUSE, array( $code_id ), Report_Sender::GROUP );
		}
	}

	/**
	 * Gives the service the coupon's name, owner, state, and end. Returns the code, or null if there is none. The error of a code that
	 * belongs to another creator contains that code.
	 *
	 * @param array<string, ?string> $wanted As `Coupons::wanted()` returns it.
	 * @return array<string, mixed>|WP_Error|null
	 */
	private static function agree( WC_Coupon $coupon, array $wanted ): array|WP_Error|null {
		$before  = Coupons::link( $coupon )['coupon'];
		$code_id = Coupons::code_id( $coupon );
		if ( null !== $code_id && array( $before['name'] ?? '', $before['owner'] ?? '' ) === array( $wanted['name'], $wanted['owner'] ) ) {
			$changed = Codes::change( $code_id, self::fields( $wanted ) );
			if ( ! is_wp_error( $changed ) || 'not_found' !== $changed->get_error_code() ) {
				return $changed;
			}
		}
		$code = '' === $wanted['owner'] ? null : self::give( $coupon, $wanted );
		$kept = is_wp_error( $code ) ? ( $code->get_error_data()['code'] ?? null ) : $code;
		if ( null === $code_id || ( is_wp_error( $code ) && null === $kept ) || ( $kept['id'] ?? null ) === $code_id ) {
			return $code;
		}
		// The coupon has another name, or no creator any more.
		$paused = Codes::change( $code_id, array( 'status' => 'paused' ) );
		return self::can_retry( $paused ) ? $paused : $code;
	}

	/**
	 * Makes the coupon's name a code of its owner. There is no code until shoppers can use the coupon.
	 *
	 * @param array<string, ?string> $wanted As `Coupons::wanted()` returns it.
	 * @return array<string, mixed>|WP_Error|null
	 */
	private static function give( WC_Coupon $coupon, array $wanted ): array|WP_Error|null {
		$found = Codes::find( $coupon->get_code() );
		if ( null === $found && 'active' === $wanted['status'] ) {
			return Codes::create( $coupon->get_code(), $wanted['owner'], $wanted['until'] );
		}
		return is_array( $found ) ? self::adopt( $found, $wanted ) : $found;
	}

	/**
	 * Uses a code that the service has already.
	 *
	 * @param array<string, mixed>   $code   As the service returns it.
	 * @param array<string, ?string> $wanted As `Coupons::wanted()` returns it.
	 * @return array<string, mixed>|WP_Error
	 */
	private static function adopt( array $code, array $wanted ): array|WP_Error {
		if ( Codes::owner( $code ) !== $wanted['owner'] ) {
			/* translators: 1: discount code, 2: name of a creator */
			$message = sprintf( __( 'The code %1$s belongs to %2$s, and a code keeps its creator. Give the other creator a coupon with another code.', 'tributary-for-woocommerce' ), $code['code'], Codes::owner_name( $code ) );
			return new WP_Error( 'conflict', $message, array( 'status' => 409, 'code' => $code ) );
		}
		if ( 'ended' === $code['status'] ) {
			/* translators: %s: discount code */
			$message = sprintf( __( 'The code %s has ended, and an ended code stays ended. Use a coupon with another code.', 'tributary-for-woocommerce' ), $code['code'] );
			return new WP_Error( 'conflict', $message, array( 'status' => 409, 'code' => $code ) );
		}
		return Codes::change( $code['id'], self::fields( $wanted ) );
	}

	/**
	 * Whether a request failed because of an outage, the API key, or the connection. A code that does not exist any more needs no pause.
	 *
	 * @param array<string, mixed>|WP_Error $answer Of a request.
	 */
	private static function can_retry( array|WP_Error $answer ): bool {
		return is_wp_error( $answer ) && 'not_found' !== $answer->get_error_code() && ! Codes::is_final( $answer );
	}

	/**
	 * The end of a coupon that shoppers cannot use is not sent: it may have passed, and does not matter.
	 *
	 * @param array<string, ?string> $wanted As `Coupons::wanted()` returns it.
	 * @return array<string, ?string>
	 */
	private static function fields( array $wanted ): array {
		return 'active' === $wanted['status'] ? array( 'status' => 'active', 'valid_until' => $wanted['until'] ) : array( 'status' => 'paused' );
	}
}

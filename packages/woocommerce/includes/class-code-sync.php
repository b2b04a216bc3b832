<?php
/**
 * Keeps coupons of the shop and discount codes of creators the same.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use WC_Coupon;
use WP_Error;

defined( 'ABSPATH' ) || exit;

/**
 * Every 15 minutes: sends waiting changes of coupons, then compares all codes with the coupons. A coupon of the same name is marked as its
 * creator's; a missing coupon is created if the shop owner set a discount for that; and a coupon that the plugin created follows its code.
 */
final class Code_Sync {
	public const HOOK    = 'tributary_sync_codes';
	private const OPTION = 'tributary_code_sync';

	public const INTERVAL     = 15 * MINUTE_IN_SECONDS;
	private const PENDING_MAX = 200;

	public static function register(): void {
		add_action( self::HOOK, array( self::class, 'run' ) );
		add_action( 'action_scheduler_init', array( self::class, 'schedule' ) );
	}

	public static function schedule(): void {
		if ( ! as_has_scheduled_action( self::HOOK, array(), Report_Sender::GROUP ) ) {
			as_schedule_recurring_action( time() + self::INTERVAL, self::INTERVAL, self::HOOK, array(), Report_Sender::GROUP, true );
		}
	}

	/**
	 * The last run: when it began, of which store, and its error, which is empty if all codes were compared.
	 *
	 * @return ?array{started: int, store_id: string, error: string}
	 */
	public static function last(): ?array {
		$stored = get_option( self::OPTION );
		return is_array( $stored ) ? $stored : null;
	}

	/** Whether all codes were compared after this time, so that each coupon with a creator's code is marked. */
	public static function ran_after( int $time ): bool {
		$last = self::last();
		return null !== $last && '' === $last['error'] && $last['started'] > $time;
	}

	/** Forgets the codes of another store. */
	public static function begin( string $store_id ): void {
		$last = self::last();
		if ( null !== $last && $last['store_id'] !== $store_id ) {
			Coupons::forget();
			delete_option( self::OPTION );
		}
	}

	/**
	 * Returns how many coupons were linked, created, and changed, or why the codes could not be read.
	 *
	 * @return array{linked: int, created: int, changed: int}|WP_Error
	 */
	public static function run(): array|WP_Error {
		$started = time();
		foreach ( Coupons::pending( self::PENDING_MAX ) as $id ) {
			Coupon_Codes::send( $id );
		}
		$codes = Codes::all();
		if ( is_wp_error( $codes ) ) {
			self::note( $started, $codes->get_error_message() );
			return $codes;
		}
		$counts = array( 'linked' => 0, 'created' => 0, 'changed' => 0 );
		foreach ( $codes as $code ) {
			$done = $code['shared'] ? null : self::compare( $code );
			if ( null !== $done ) {
				++$counts[ $done ];
			}
		}
		self::note( $started, '' );
		return $counts;
	}

	private static function note( int $started, string $error ): void {
		$connection = Settings::connection();
		if ( null !== $connection ) {
			update_option( self::OPTION, array( 'started' => $started, 'store_id' => $connection['store_id'], 'error' => $error ), false );
		}
	}

	/**
	 * Compares a code with its coupon.
	 *
	 * @param array<string, mixed> $code As the service returns it.
	 * @return 'linked'|'created'|'changed'|null What was done.
	 */
	private static function compare( array $code ): ?string {
		$coupon = Coupons::of_code( $code['id'] );
		if ( null !== $coupon ) {
			return self::follow( $coupon, $code ) ? 'changed' : null;
		}
		// Only an active code is linked by its name: a coupon that was taken from its creator has a paused one.
		if ( 'active' !== $code['status'] ) {
			return null;
		}
		$coupon = Coupons::named( $code['code'] );
		if ( null === $coupon ) {
			return self::create( $code ) ? 'created' : null;
		}
		if ( 'publish' !== get_post_status( $coupon->get_id() ) || $coupon->get_meta( Coupons::PENDING ) ) {
			return null;
		}
		self::link( $coupon, $code );
		return 'linked';
	}

	/**
	 * Marks a coupon as the code of a creator. From now on, changes of the coupon are sent.
	 *
	 * @param array<string, mixed> $code As the service returns it.
	 */
	private static function link( WC_Coupon $coupon, array $code ): void {
		Coupons::set_link( $coupon, array( 'owner' => Codes::owner( $code ), 'owner_name' => Codes::owner_name( $code ), 'error' => '' ), $code['id'] );
		Coupons::set_link( $coupon, array( 'coupon' => Coupons::wanted( $coupon ), 'code' => Codes::state( $code ) ), $code['id'] );
		$coupon->save_meta_data();
	}

	/**
	 * Gives a code that was paused, ended, activated, or prolonged in the service the same effect in the shop. Only coupons that the plugin
	 * created change: a coupon of the shop owner keeps giving its discount.
	 *
	 * @param array<string, mixed> $code As the service returns it.
	 */
	private static function follow( WC_Coupon $coupon, array $code ): bool {
		$link = Coupons::link( $coupon );
		$now  = Codes::state( $code );
		if ( $link['code'] === $now || $coupon->get_meta( Coupons::PENDING ) ) {
			return false;
		}
		// A coupon in the trash stays there.
		if ( ! $link['is_created'] || 'trash' === get_post_status( $coupon->get_id() ) ) {
			Coupons::set_link( $coupon, array( 'code' => $now ), $code['id'] );
			$coupon->save_meta_data();
			return false;
		}
		Coupon_Codes::without_events(
			static function () use ( $coupon, $code, $now ): void {
				$coupon->set_date_expires( Codes::seconds( $code['valid_until'] ) );
				$coupon->save();
				// WooCommerce 10.0 and earlier do not save a changed status of a coupon.
				wp_update_post( array( 'ID' => $coupon->get_id(), 'post_status' => 'active' === $now['status'] ? 'publish' : 'draft' ) );
			}
		);
		// Noted last: until then, the next comparison does the same again.
		Coupons::set_link( $coupon, array( 'code' => $now, 'coupon' => Coupons::wanted( $coupon ), 'error' => '' ), $code['id'] );
		$coupon->save_meta_data();
		return true;
	}

	/**
	 * Creates the coupon of a code, if the shop owner set a discount for that.
	 *
	 * @param array<string, mixed> $code As the service returns it.
	 */
	private static function create( array $code ): bool {
		$discount = Settings::code_discount();
		$until    = Codes::seconds( $code['valid_until'] );
		if ( null === $discount || Codes::seconds( $code['valid_from'] ) > time() || ( null !== $until && $until <= time() ) ) {
			return false;
		}
		$coupon = new WC_Coupon();
		$coupon->set_code( $code['code'] );
		if ( Codes::key( $coupon->get_code() ) !== Codes::key( $code['code'] ) ) {
			wc_get_logger()->warning( "A coupon cannot have the name of the discount code {$code['id']}.", array( 'source' => 'tributary' ) );
			return false;
		}
		$coupon->set_discount_type( $discount['type'] );
		$coupon->set_amount( $discount['amount'] );
		$coupon->set_date_expires( $until );
		/* translators: %s: name of a creator */
		$coupon->set_description( sprintf( __( 'Discount code of %s', 'tributary-for-woocommerce' ), $code['creator_name'] ) );
		Coupons::set_link( $coupon, array( 'owner' => Codes::owner( $code ), 'owner_name' => Codes::owner_name( $code ), 'is_created' => true ), $code['id'] );
		Coupons::set_link( $coupon, array( 'coupon' => Coupons::wanted( $coupon, 'publish' ), 'code' => Codes::state( $code ) ), $code['id'] );
		return $coupon->save() > 0;
	}
}

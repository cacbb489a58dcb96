package bench;

import org.springframework.data.repository.CrudRepository;
import org.springframework.data.repository.PagingAndSortingRepository;

/** Spring Data REST serves this repository at /members. */
public interface Members extends CrudRepository<Member, Long>, PagingAndSortingRepository<Member, Long> {}
